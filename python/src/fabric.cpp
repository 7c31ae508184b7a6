// SPDX-License-Identifier: BSD-3-Clause
// Fabrics for Python: by formula, from files, or from single nodes and cables.

#include "topology/fabric.hpp"

#include <fmt/format.h>
#include <pybind11/stl.h>

#include "background.hpp"
#include "core/error.hpp"
#include "io/fabric/load_fabric.hpp"
#include "io/lists/node_list.hpp"
#include "report/fabric/show_report.hpp"
#include "topology/builder.hpp"
#include "topology/change/faults.hpp"
#include "topology/generate/spec.hpp"
#include "topology/hosts/roles.hpp"
#include "values.hpp"

namespace fatwood::python {

namespace {

struct FaultWords {
  std::vector<std::string> cut, remove;
  std::uint64_t seed = 1;
  bool keep_connected = false;
};

Fabric less(Fabric fabric, const FaultWords& words) {
  std::vector<FaultRequest> orders;
  for (const std::string& text : words.cut) {
    orders.push_back({FaultKind::kCut, text, {.file = "cut " + text}});
  }
  for (const std::string& text : words.remove) {
    orders.push_back({FaultKind::kRemove, text, {.file = "remove " + text}});
  }
  if (orders.empty()) return fabric;
  const FaultOptions options{words.seed,
                             words.keep_connected ? Connection::kKept : Connection::kMayBreak};
  return with_faults(fabric, find_faults(fabric, orders, options));
}

// The user's hints, as names.
struct HintNames {
  std::vector<std::string> roots, compute, uncounted;
  bool count_aggregation = false;
};

ModelHints hints_of(const Fabric& fabric, const HintNames& names) {
  ModelHints hints;
  const TerminalNames found(fabric);
  const auto terminals = [&](const std::vector<std::string>& list, const char* what) {
    std::vector<Terminal> all;
    for (const std::string& name : list) {
      const std::vector<Terminal> some = found.terminals(name, {.file = what});
      all.insert(all.end(), some.begin(), some.end());
    }
    return all;
  };
  for (const std::string& name : names.roots) {
    hints.roots.push_back(found.switch_of(name, {.file = "roots"}));
  }
  hints.compute = terminals(names.compute, "compute");
  hints.uncounted = terminals(names.uncounted, "uncounted");
  if (names.count_aggregation) hints.aggregation = Aggregation::kCounted;
  return hints;
}

std::shared_ptr<const Model> model_of(Fabric fabric, const FaultWords& faults,
                                      const HintNames& names) {
  Fabric left = less(std::move(fabric), faults);
  ModelHints hints = hints_of(left, names);
  return std::make_shared<const Model>(std::move(left), std::move(hints));
}

FabricValue load(const std::string& source, const std::string& node_name_map,
                 const FaultWords& faults, const HintNames& names) {
  return in_background(py::none(), [=](const Progress&) {
    LoadedFabric loaded = load_fabric(source, {.node_name_map = node_name_map});
    return FabricValue{model_of(std::move(loaded.fabric), faults, names), source,
                       std::move(loaded.format), std::move(loaded.warnings)};
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
                  const std::vector<CableInput>& cables, const FaultWords& faults,
                  const HintNames& hints) {
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
  return {model_of(builder.build(), faults, hints), name, "edges", {}};
}

// The fabric after faults, with the same hints.
FabricValue damaged(const FabricValue& fabric, const FaultWords& faults, const HintNames& names) {
  return {model_of(fabric.model->fabric(), faults, names), fabric.name, fabric.format,
          fabric.warnings};
}

Printed show(const FabricValue& value, bool all) {
  return in_background(py::none(), [=](const Progress&) {
    const Fabric& fabric = value.model->fabric();
    const ShowReport report = show_report(*value.model, value.format, value.warnings);
    return Printed{show_json(fabric, report),
                   show_text(fabric, report, all ? Detail::kAll : Detail::kSome)};
  });
}

std::vector<std::string> names(const FabricValue& value, bool switches) {
  const Fabric& fabric = value.model->fabric();
  std::vector<std::string> all;
  for (const Node node : ids<Node>(fabric.num_nodes())) {
    if (fabric.is_switch(node) == switches) all.emplace_back(display_name(fabric, node));
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
  py::class_<FaultWords>(module, "FaultWords")
      .def(py::init<std::vector<std::string>, std::vector<std::string>, std::uint64_t, bool>());
  py::class_<HintNames>(module, "HintNames")
      .def(py::init<std::vector<std::string>, std::vector<std::string>, std::vector<std::string>,
                    bool>());
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
