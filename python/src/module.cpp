// SPDX-License-Identifier: BSD-3-Clause
// fatwood._core: the compiled module behind the Python package (python/fatwood).

#include <pybind11/pybind11.h>

#include <type_traits>

#include "core/error.hpp"
#include "core/version.hpp"
#include "values.hpp"

namespace fatwood::python {

namespace {

// "fault_seed=3"
std::string as_keyword(std::string_view name, std::string_view value) {
  return std::string(name).append("=").append(value);
}

PyObject* input_error = nullptr;  // the class; it lives as long as the interpreter

// With its data as attributes; None where not known.
void raise(const InputError& error) {
  const auto known = [](const auto& value) {
    return value == std::decay_t<decltype(value)>{} ? py::object(py::none()) : py::cast(value);
  };
  py::object made = py::reinterpret_borrow<py::object>(input_error)(error.text(as_keyword));
  made.attr("file") = known(error.where().file);
  made.attr("line") = known(error.where().line);
  made.attr("column") = known(error.where().column);
  made.attr("parameter") = known(error.parameter());
  made.attr("cut_short") = error.kind() == ErrorKind::kCutShort;
  PyErr_SetObject(input_error, made.ptr());
}

void add_errors(py::module_& module) {
  input_error = PyErr_NewException("fatwood._core.CoreInputError", PyExc_ValueError, nullptr);
  module.attr("CoreInputError") = py::handle(input_error);
  py::register_exception_translator([](std::exception_ptr thrown) {
    try {
      if (thrown) std::rethrow_exception(thrown);
    } catch (const InputError& error) {
      raise(error);
    }
  });
}

}  // namespace

}  // namespace fatwood::python

PYBIND11_MODULE(_core, module) {
  namespace py = pybind11;
  using namespace fatwood;
  module.attr("version") = std::string(version());
  python::add_errors(module);
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
