namespace fatwood {}
