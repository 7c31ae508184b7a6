// SPDX-License-Identifier: BSD-3-Clause
// Fabrics for Python: by formula, from files, or from single nodes and cables.

#include "topology/fabric.hpp"

#include <fmt/format.h>
#include <pybind11/stl.h>

#include "app/open_fabric.hpp"
#include "background.hpp"
#include "core/error.hpp"
#include "io/fabric/spec.hpp"
#include "parameters.hpp"
#include "report/fabric/show_report.hpp"
#include "topology/builder.hpp"
#include "topology/hosts/roles.hpp"
#include "values.hpp"

namespace fatwood::python {

namespace {

// The request for a fabric from the words of Python. Called with the interpreter lock.
FabricRequest request_of(const std::string& name, const py::dict& words) {
  FabricRequest request{.name = name};
  FromKeywords set(words);
  describe(set, request.read);
  describe(set, request.faults);
  describe(set, request.levels);
  describe(set, request.balance);
  describe(set, request.speeds);
  set.finish();
  return request;
}

FabricValue load(const std::string& source, const py::dict& words) {
  return in_background(py::none(),
                       [request = request_of(source, words)](const Progress&) -> FabricValue {
                         return open_fabric(request);
                       });
}

struct NodeInput {
  std::string name;
  bool is_switch;
  std::uint32_t ports;
  std::uint64_t guid;
};
struct CableInput {
  std::uint32_t a, port_a, b, port_b;  // nodes by their places in the list
};

FabricValue build(const std::string& name, const std::vector<NodeInput>& nodes,
                  const std::vector<CableInput>& cables) {
  FabricBuilder builder;
  std::vector<FabricBuilder::Handle> handle;
  for (const NodeInput& node : nodes) {
    handle.push_back(node.is_switch ? builder.add_switch(node.name, node.ports, node.guid)
                                    : builder.add_adapter(node.name, node.ports, node.guid));
    builder.set_description(handle.back(), node.name);
  }
  for (const CableInput& c : cables) {
    const FabricBuilder::Handle a = handle.at(c.a), b = handle.at(c.b);
    builder.connect(a, builder.port(a, c.port_a), b, builder.port(b, c.port_b));
  }
  return open_fabric(builder.build(), {.name = name}, "edges");
}

// The fabric after faults, with the hints that the words repeat.
FabricValue damaged(const FabricValue& fabric, const py::dict& words) {
  return changed_fabric(fabric, request_of(fabric.name, words));
}

Printed show(const FabricValue& value, bool all) {
  return in_background(py::none(), [=](const Progress&) {
    const Fabric& fabric = value.model->fabric();
    const ShowReport report = show_report(*value.model, value.format, value.warnings, value.run);
    return Printed{show_json(fabric, report),
                   show_text(fabric, report, all ? Detail::kAll : Detail::kSome)};
  });
}

std::vector<std::string> names(const FabricValue& value, bool switches) {
  const Fabric& fabric = value.model->fabric();
  std::vector<std::string> all;
  for (const Node node : ids<Node>(fabric.num_nodes())) {
    if (fabric.is_switch(node) == switches) all.emplace_back(unique_name(fabric, node));
  }
  return all;
}

template <class Of>
py::array_t<std::uint32_t> by_channel(const FabricValue& value, const Of& of) {
  const Fabric& fabric = value.model->fabric();
  std::vector<std::uint32_t> all(fabric.num_channels());
  for (const Channel c : ids<Channel>(all.size())) all[index(c)] = of(fabric, c);
  return read_only(std::move(all));
}

py::array_t<std::uint32_t> leaves(const FabricValue& value) {
  const Fabric& fabric = value.model->fabric();
  std::vector<std::uint32_t> all;
  for (const Terminal t : ids<Terminal>(fabric.num_terminals())) {
    all.push_back(index(fabric.leaf(t)));
  }
  return read_only(std::move(all));
}

py::array_t<std::uint16_t> levels(const FabricValue& value) {
  const auto& level = value.model->levels().level;
  return read_only(std::vector<std::uint16_t>(level.begin(), level.end()));
}

std::vector<std::string> host_names(const FabricValue& value) {
  std::vector<std::string> all;
  for (const Adapter host : ids<Adapter>(value.model->adapters().size())) {
    all.emplace_back(adapter_name(*value.model, host));
  }
  return all;
}

}  // namespace

void add_fabric(py::module_& module) {
  py::class_<NodeInput>(module, "NodeInput")
      .def(py::init<std::string, bool, std::uint32_t, std::uint64_t>());
  py::class_<CableInput>(module, "CableInput")
      .def(py::init<std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t>());
  py::class_<FabricValue>(module, "Fabric")
      .def_readonly("name", &FabricValue::name)
      .def_readonly("format", &FabricValue::format)
      .def_readonly("warnings", &FabricValue::warnings)
      .def("counts",
           [](const FabricValue& v) {
             const Fabric& f = v.model->fabric();
             return std::vector{f.num_switches(),           f.num_adapters(), f.num_terminals(),
                                v.model->adapters().size(), f.num_cables(),   f.num_channels()};
           })
      .def("names", names)
      .def("host_names", host_names)
      .def("ports",
           [](const FabricValue& v) {
             const Fabric& f = v.model->fabric();
             std::vector<std::uint32_t> all;
             for (const Node node : ids<Node>(f.num_nodes())) all.push_back(f.ports(node));
             return read_only(std::move(all));
           })
      .def("guids",
           [](const FabricValue& v) {
             const Fabric& f = v.model->fabric();
             std::vector<std::uint64_t> all;
             for (const Node node : ids<Node>(f.num_nodes())) all.push_back(f.guid(node));
             return read_only(std::move(all));
           })
      .def("peer",
           [](const FabricValue& v) {
             return by_channel(v, [](const Fabric& f, Channel c) { return index(f.peer(c)); });
           })
      .def("owner",
           [](const FabricValue& v) {
             return by_channel(v, [](const Fabric& f, Channel c) { return index(f.owner(c)); });
           })
      .def("port",
           [](const FabricValue& v) {
             return by_channel(v, [](const Fabric& f, Channel c) { return index(f.port(c)); });
           })
      .def("leaves", leaves)
      .def("levels", levels)
      .def("same", [](const FabricValue& a, const FabricValue& b) {
        return a.model->fabric() == b.model->fabric();
      });
  module.def("load_fabric", load);
  module.def("build_fabric", build);
  module.def("damaged", damaged);
  module.def("show", show);
  module.def("families", [] {
    std::vector<std::pair<std::string, std::string>> all;
    for (const Family& family : families()) {
      all.emplace_back(std::string(family.usage), std::string(family.summary));
    }
    return all;
  });
}

}  // namespace fatwood::python
