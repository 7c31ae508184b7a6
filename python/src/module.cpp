// SPDX-License-Identifier: BSD-3-Clause
// fatwood._core: the compiled module behind the Python package (python/fatwood).

#include <pybind11/pybind11.h>

#include "core/error.hpp"
#include "core/version.hpp"
#include "values.hpp"

PYBIND11_MODULE(_core, module) {
  namespace py = pybind11;
  using namespace fatwood;
  module.attr("version") = std::string(version());
  py::register_exception<InputError>(module, "CoreInputError", PyExc_ValueError);
  py::register_exception<PromiseError>(module, "CorePromiseError", PyExc_RuntimeError);
  py::class_<python::Printed>(module, "Printed")
      .def_readonly("json", &python::Printed::json)
      .def_readonly("text", &python::Printed::text);
  python::add_fabric(module);
  python::add_routing(module);
  python::add_analyses(module);
  python::add_changes(module);
  python::add_jobs(module);
  python::add_plan(module);
  python::add_simulation(module);
}
