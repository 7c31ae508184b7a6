// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The values that Python holds: a fabric and a routing. Both are immutable and shared with running
// calls, so a caller may drop them at any time.

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "app/open_routing.hpp"
#include "routing/resolve.hpp"
#include "routing/tables/lids.hpp"
#include "routing/tables/path_source.hpp"
#include "topology/model.hpp"

namespace fatwood::python {

namespace py = pybind11;

using FabricValue = OpenFabric;

struct RoutingValue {
  std::shared_ptr<const Model> model;
  std::shared_ptr<const Routing> routing;
  AddressChoice choice;  // algebraic routings: which addresses a source uses
  std::vector<std::string> warnings;
  LidContradictions contradictions = {};  // for tables from a file
  bool lanes_known = true;                // a file of tables has them only with its SLs
};

// A routing, by name or as a value.
using Routes = std::variant<std::string, RoutingValue>;

// A result as the command line prints it: its JSON object and its text.
struct Printed {
  std::string json;
  std::string text;
};

// The paths between hosts. Called without the interpreter lock.
std::shared_ptr<const PathSource> paths_of(const FabricValue& fabric, const Routes& routes,
                                           std::uint64_t seed, int threads,
                                           Entries entries = Entries::kOnePort);
std::string name_of(const Routes& routes);
// The same in the form that tasks take.
ResolvedRouting resolved(const FabricValue& fabric, const Routes& routes, std::uint64_t seed,
                         int threads);

// Old routes, renumbered for another fabric, with their VLs. New nodes have no entries.
Routing carried(const RoutingValue& old, const Fabric& now);

// A read-only array over memory that `owner` keeps alive.
template <class T>
py::array_t<T> read_only(const T* data, std::vector<py::ssize_t> shape, py::handle owner) {
  py::array_t<T> array(std::move(shape), data, owner);
  py::detail::array_proxy(array.ptr())->flags &= ~py::detail::npy_api::NPY_ARRAY_WRITEABLE_;
  return array;
}
// The same for a vector that the array owns.
template <class T>
py::array_t<T> read_only(std::vector<T> values) {
  auto* const kept = new std::vector<T>(std::move(values));
  const py::capsule owner(kept, [](void* p) { delete static_cast<std::vector<T>*>(p); });
  return read_only(kept->data(), {static_cast<py::ssize_t>(kept->size())}, owner);
}

void add_fabric(py::module_& module);
void add_routing(py::module_& module);
void add_analyses(py::module_& module);
void add_changes(py::module_& module);
void add_jobs(py::module_& module);
void add_plan(py::module_& module);
void add_simulation(py::module_& module);

}  // namespace fatwood::python
