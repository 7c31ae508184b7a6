// SPDX-License-Identifier: BSD-3-Clause
// Plans: what each form of cable list says, what is wrong with bad rows, and that every form that
// is written is read again.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <set>
#include <sstream>

#include "core/error.hpp"
#include "io/base/input.hpp"
#include "io/fabric/load_fabric.hpp"
#include "io/fabric/spec.hpp"
#include "plan/formats/ibnl.hpp"
#include "plan/formats/plan_write.hpp"
#include "plan/model/plan_fabric.hpp"
#include "support/fixtures.hpp"
#include "support/real_fabrics.hpp"
#include "topology/labels.hpp"

namespace fatwood {
namespace {

LoadedFabric read(std::string_view text, Strictness strictness = Strictness::kStrict) {
  Input input(text, "plan");
  return read_fabric(input, {.strictness = strictness});
}
LoadedFabric read_kept(const std::string& name) {
  Input input(test::kept("fuzz/corpus/" + name).string());
  return read_fabric(input);
}

std::string error_of(std::string_view text) {
  try {
    read(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

// "gpu1 mlx5_0[1] leaf1[1]", with rates, sorted.
std::multiset<std::string> cables_of(const Fabric& fabric) {
  std::multiset<std::string> cables;
  for (const Channel c : ids<Channel>(fabric.num_channels())) {
    if (!fabric.connected(c)) continue;
    const std::string here = port_name(fabric, c);
    const std::string there = port_name(fabric, fabric.peer(c));
    if (here < there) cables.insert(here + ' ' + there + ' ' + to_string(fabric.rate(c)));
  }
  return cables;
}

TEST(PlanCsv, NdtListsBothDirectionsOnce) {
  const LoadedFabric loaded = read_kept("plan_csv/ndt.csv");
  EXPECT_EQ(loaded.format, "cables");
  EXPECT_EQ(cables_of(loaded.fabric), (std::multiset<std::string>{"gpu1 mlx5_0[1] leaf1[1] 4xQDR",
                                                                  "gpu2 mlx5_0[1] leaf1[2] 4xQDR",
                                                                  "leaf1[33] spine1[1] 4xQDR"}));
  ASSERT_TRUE(loaded.plan);
  EXPECT_EQ(loaded.plan->cables.size(), 3U);
}

TEST(PlanCsv, DirectorsHaveCardsAndPlaces) {
  const LoadedFabric loaded = read_kept("plan_csv/ndt_full.csv");
  const Plan& plan = *loaded.plan;
  ASSERT_EQ(plan.devices.size(), 3U);
  const PlanDevice& director = plan.devices[1];
  EXPECT_EQ(director.name, "D-IB1");
  EXPECT_EQ(place_text(director), "R9-U24");
  EXPECT_EQ(director.chips[0].name, "L01/U1");
  // Two card chips with two ports each: two spine chips, four cables inside.
  EXPECT_EQ(director.chips.size(), 4U);
  EXPECT_EQ(director.inside.size(), 4U);
  EXPECT_EQ(plan.cables[2].length_m, 40);
  EXPECT_EQ(plan.cables[2].type, "200G HDR cable");
  EXPECT_EQ(to_string(plan.cables[0].rate), "4xHDR");
  EXPECT_EQ(loaded.fabric.num_switches(), 6U);
  EXPECT_EQ(loaded.fabric.num_cables(), 7U);
}

TEST(PlanCsv, PointToPointCountsPortsOfCages) {
  const LoadedFabric loaded = read_kept("plan_csv/p2p.csv");
  EXPECT_EQ(cables_of(loaded.fabric),
            (std::multiset<std::string>{
                "gpu1 mlx5_0[1] leaf1[1] 4xQDR", "gpu2 mlx5_0[1] leaf1[2] 4xQDR",
                "gpu1 mlx5_1[1] leaf2[1] 4xQDR", "gpu2 mlx5_1[1] leaf2[3] 4xQDR"}));
  EXPECT_EQ(place_text(loaded.plan->devices[0]), "A01-U10");
}

TEST(PlanCsv, ShcdHasSlotsAndBlankColumns) {
  const Plan plan = *read_kept("plan_csv/shcd.csv").plan;
  ASSERT_EQ(plan.cables.size(), 3U);
  EXPECT_EQ(plan.devices[2].name, "cn01");
  EXPECT_TRUE(plan.devices[2].is_host());
  EXPECT_EQ(plan.devices[2].chips[0].name, "ocp");
  EXPECT_EQ(plan.devices[2].unit, 10U);
  EXPECT_EQ(plan.cables[2].a.port, 2U);
  EXPECT_EQ(plan.cables[2].b.port, 2U);
  EXPECT_FALSE(plan.devices[1].is_host());
}

TEST(PlanCsv, OmniPathRepeatsCellsAbove) {
  const Plan plan = *read_kept("plan_csv/omnipath.csv").plan;
  ASSERT_EQ(plan.cables.size(), 3U);
  EXPECT_EQ(plan.devices[2].name, "host2");
  EXPECT_TRUE(plan.devices[2].is_host());
  EXPECT_EQ(plan.devices[2].rack, "rack1");
  EXPECT_EQ(plan.cables[1].length_m, 1);
  EXPECT_EQ(plan.cables[2].label, "s1-c1");
  EXPECT_EQ(plan.devices[3].chips[0].name, "L101");
}

TEST(PlanCsv, SonicAndNetbox) {
  const LoadedFabric sonic = read_kept("plan_csv/sonic.csv");
  EXPECT_EQ(sonic.fabric.num_switches(), 2U);
  EXPECT_EQ(sonic.plan->cables[1].a.port, 2U);
  EXPECT_EQ(to_string(sonic.plan->cables[0].rate), "400G");  // ports of Ethernet
  const Plan netbox = *read_kept("plan_csv/netbox.csv").plan;
  EXPECT_EQ(netbox.cables[1].length_m, 0.5);
  EXPECT_EQ(netbox.cables[1].a.port, 2U);
  EXPECT_EQ(netbox.cables[2].a.port, 3U);
  EXPECT_EQ(netbox.devices[2].name, "spine, 1");
}

TEST(PlanCsv, RepeatedNamesGetRackAndUnit) {
  const std::string head = "Rack,U,Name,Port,Rack,U,Name,Port\n";
  const Plan racks = *read(head + "A,1,sw,1,A,9,top,1\nB,1,SW,1,A,9,top,2\n").plan;
  EXPECT_EQ(racks.devices[0].name, "sw@A");
  EXPECT_EQ(racks.devices[2].name, "SW@B");
  const Plan units = *read(head + "A,1,sw,1,A,9,top,1\nA,2,sw,1,A,9,top,2\n").plan;
  EXPECT_EQ(units.devices[0].name, "sw@A-U1");
  EXPECT_EQ(units.devices[2].name, "sw@A-U2");
  EXPECT_EQ(error_of(head + "A,1,sw,1,A,9,top,1\nB,1,sw,1,A,9,top,2\n,,sw,2,A,9,top,3\n"),
            "plan:4:6: several devices are called sw; expected rack and unit of this one");
}

TEST(PlanCsv, BadRowsHaveLineAndColumn) {
  const std::string head = "StartDevice,StartPort,EndDevice,EndPort,Cable Length\n";
  const std::string good = "leaf1,Port 1,spine1,Port 1,5\n";
  EXPECT_TRUE(
      error_of(head + "leaf1,abra,spine1,Port 1\n").starts_with("plan:2:7: expected a port"));
  EXPECT_EQ(error_of(head + good + "leaf1,Port 1,spine1,Port 2\n"),
            "plan:3:7: leaf1 Port 1 has a second cable; expected one (the first is on line 2)");
  EXPECT_EQ(error_of(head + good + "leaf2,Port 1,spine1,Port 300\n"),
            "plan:3:21: expected a port from 1 to 254, found \"Port 300\"");
  EXPECT_EQ(error_of(head + "leaf1,Port 1,leaf1,port 1\n"),
            "plan:2:20: joins a port to itself; expected another port");
  EXPECT_EQ(error_of(head + "leaf1,Port 1,spine1,\n"),
            "plan:2:21: expected a port, found an empty cell");
  EXPECT_EQ(error_of(head + "leaf1,Port 1,spine1,Port 1,far\n"),
            "plan:2:28: expected a length such as 5 or 5m, found \"far\"");
  EXPECT_EQ(error_of(head + "leaf1,\"Port 1,spine1,Port 1\n"),
            "plan:2:7: expected a closing quote");
  EXPECT_TRUE(error_of("#StartDevice,EndDevice,EndPort,LinkType\n").starts_with("plan:1:1: "));
  EXPECT_EQ(error_of(head), "plan: has no cable; expected a row for each, below the header");
}

TEST(PlanCsv, LenientKeepsTheRest) {
  const std::string text =
      "StartDevice,StartPort,EndDevice,EndPort\nleaf1,Port 1,spine1,Port 1\nleaf1,abra,spine1,Port "
      "2\n"
      "leaf2,Port 1,spine1,Port 2\nleaf3,Port 1,spine1,Port 2\n";
  const LoadedFabric loaded = read(text, Strictness::kLenient);
  EXPECT_EQ(loaded.plan->cables.size(), 2U);
  ASSERT_EQ(loaded.warnings.size(), 2U);
  EXPECT_TRUE(loaded.warnings[0].starts_with("plan:3: "));
  EXPECT_TRUE(loaded.warnings[1].starts_with("plan:5: "));
}

TEST(PlanTopo, SystemsWithoutIbnl) {
  const LoadedFabric loaded = read_kept("topo/small.topo");
  EXPECT_EQ(loaded.format, "topo");
  EXPECT_EQ(
      cables_of(loaded.fabric),
      (std::multiset<std::string>{"gpu1 mlx5_0[1] leaf1[1] 4xNDR", "gpu2 mlx5_0[1] leaf1[2] 4xNDR",
                                  "leaf1[33] spine1[1] 4xNDR", "gpu1 mlx5_1[1] leaf2[1] 2xNDR",
                                  "leaf2[33] spine1[2] 4xNDR"}));
}

TEST(PlanTopo, IbnlSaysWhatIsInside) {
  Input input(test::kept("fuzz/corpus/ibnl/box.ibnl").string());
  IbnlLibrary library;
  library.read(input);
  const DeviceInside box = library.inside("MTS9", {});
  ASSERT_EQ(box.chips.size(), 2U);
  EXPECT_EQ(box.chips[1].name, "leaf2/U1");
  EXPECT_EQ(box.cables, (std::vector<InsideCable>{{0, 3, 1, 3}, {0, 4, 1, 4}}));
  EXPECT_EQ(box.panel.at("L2/P2"), (std::pair{1U, 2U}));
  const DeviceInside part = library.inside("Box", {{"leaf2", "R"}});
  EXPECT_EQ(part.chips.size(), 1U);
  EXPECT_FALSE(part.panel.contains("L2/P1"));
  EXPECT_EQ(library.inside("Card", {}).kind, NodeKind::kAdapter);
  EXPECT_THROW(library.inside("Box", {{"leaf1", "NONE"}}), InputError);
}

// Every form holds names, ports and cables; so it comes back as the same plan, less what the form
// has no place for.
using Write = void (*)(std::ostream&, const Plan&);
Plan again(Write write, const Plan& plan) {
  std::ostringstream out;
  write(out, plan);
  return *read(out.str()).plan;
}

// Cables by names of devices and numbers of ports.
std::multiset<std::string> ends_of(const Plan& plan,
                                   const std::function<std::string(PlanEnd)>& end) {
  std::multiset<std::string> cables;
  for (const PlanCable& cable : plan.cables) {
    const std::string a = end(cable.a), b = end(cable.b);
    cables.insert(std::min(a, b) + ' ' + std::max(a, b) + ' ' + to_string(cable.rate));
  }
  return cables;
}

void expect_same(const Plan& read, const Plan& plan, const std::string& what) {
  const auto ends = [](const Plan& of) {
    return ends_of(of, [&](const PlanEnd& end) {
      const PlanDevice& device = of.device(end);
      return device.name + '/' + device.chips[end.chip].name + ':' + std::to_string(end.port) +
             (device.is_host() ? "h" : "s");
    });
  };
  EXPECT_EQ(ends(read), ends(plan)) << what;
}

TEST(PlanRoundTrip, EveryForm) {
  for (const std::string spec :
       {"ft(8,3)", "rails(units=2,hosts=4,rails=2,spines=4)", "like-x5", "switch648"}) {
    const Model model(make_fabric(spec));
    const Plan plan = plan_of(model);
    EXPECT_EQ(again(write_plan_json, plan), plan) << spec;
    expect_same(again(write_cables, plan), plan, spec + " cables");
    expect_same(again(write_ndt, plan), plan, spec + " ndt");
    Plan no_rates = plan;
    for (PlanCable& cable : no_rates.cables) cable.rate = {};
    expect_same(again(write_netbox, no_rates), no_rates, spec + " netbox");
    EXPECT_EQ(again(write_topo, plan).cables.size(), plan.cables.size()) << spec;
  }
}

// With the IBNL files, a .topo has all chips and inside cables, too.
TEST(PlanRoundTrip, TopoWithIbnl) {
  const auto cables = [](const Plan& plan) {
    return ends_of(plan, [&](const PlanEnd& end) {
      return fmt::format("{}:{}", plan.device(end).name, end.port);
    });
  };
  for (const std::string spec :
       {"ft(8,3)", "rails(units=2,hosts=4,rails=2,spines=4)",
        "plan(hosts=40,unit=10,radix=40,up=10,spines=2,spine_radix=800,spine_chips=40)"}) {
    const Model model(make_fabric(spec));
    const Plan plan = plan_of(model);
    const std::filesystem::path folder =
        std::filesystem::path(testing::TempDir()) / "topo-and-ibnl";
    std::filesystem::remove_all(folder);
    std::filesystem::create_directories(folder / "ibnl");
    std::ofstream topo(folder / "plan.topo");
    write_topo(topo, plan);
    topo.close();
    for (const auto& [type, text] : ibnl_texts(plan)) {
      std::ofstream(folder / "ibnl" / (type + ".ibnl")) << text;
    }
    const Plan again = *load_fabric((folder / "plan.topo").string()).plan;
    EXPECT_EQ(cables(again), cables(plan)) << spec;
    std::size_t inside = 0, wanted = 0;
    for (const PlanDevice& device : again.devices) inside += device.inside.size();
    for (const PlanDevice& device : plan.devices) wanted += device.inside.size();
    EXPECT_EQ(inside, wanted) << spec;
  }
}

// A plan of a fabric, as a fabric, has the same cables.
TEST(PlanRoundTrip, FabricAndBack) {
  for (const std::string& name : test::small_lifelike_fabrics()) {
    const Model model(load_fabric(name).fabric);
    const PlannedFabric planned = planned_fabric(plan_of(model));
    std::size_t aggregation = 0;
    for (const Terminal t : ids<Terminal>(model.fabric().num_terminals())) {
      aggregation += model.aggregation()[t];
    }
    EXPECT_EQ(planned.fabric.num_switches(), model.fabric().num_switches()) << name;
    EXPECT_EQ(planned.fabric.num_cables() + aggregation, model.fabric().num_cables()) << name;
  }
}

TEST(PortTexts, HaveNumbers) {
  const auto number = [](std::vector<std::string> texts, const std::string& text) {
    std::vector<PortText> all;
    for (const std::string& one : texts) all.push_back(*parse_port_text(one));
    const auto at = PortNumbering(all, all).number(*parse_port_text(text));
    return at ? at->chip + ':' + std::to_string(at->port) : "none";
  };
  EXPECT_EQ(number({"Port 7"}, "Port 7"), ":7");
  EXPECT_EQ(number({"1/5", "1/36"}, "1/36"), ":36");
  EXPECT_EQ(number({"1/1", "32/2"}, "32/2"), ":64");
  EXPECT_EQ(number({"1/5/1", "1/5/2"}, "1/5/2"), ":10");
  EXPECT_EQ(number({"1/5/1", "1/7"}, "1/7"), ":13");
  EXPECT_EQ(number({"sw1p1"}, "sw3p2"), ":6");
  EXPECT_EQ(number({"sw1p1s1"}, "sw2p1s2"), ":6");
  EXPECT_EQ(number({"Ethernet0", "Ethernet8", "Ethernet24"}, "Ethernet24"), ":4");
  EXPECT_EQ(number({"Blade 03_Port 1/20"}, "Blade 03_Port 1/20"), "L03/U1:20");
  EXPECT_EQ(number({"Port 0"}, "Port 0"), "none");
  EXPECT_FALSE(parse_port_text("abra"));
  EXPECT_FALSE(parse_port_text("mlx5_0"));
  EXPECT_EQ(port_text("L03/U1", 20), "Blade 3_Port 1/20");
  EXPECT_EQ(port_text("", 20), "Port 20");
}

TEST(PortTexts, OfHosts) {
  const auto chip = [](std::string_view text) {
    const ChipPort at = host_port(text, "gpu1");
    return at.chip + ':' + std::to_string(at.port);
  };
  EXPECT_EQ(chip("gpu1 mlx5_3"), "mlx5_3:1");
  EXPECT_EQ(chip("mlx5_3/2"), "mlx5_3:2");
  EXPECT_EQ(chip("U2/P1"), "mlx5_1:1");
  EXPECT_EQ(chip("3"), "mlx5_2:1");
  EXPECT_EQ(chip("HCA-2"), "HCA-2:1");
  EXPECT_TRUE(is_adapter_text("mlx5_0", "x"));
  EXPECT_FALSE(is_adapter_text("Port 1", "x"));
  EXPECT_FALSE(is_adapter_text("1/20", "x"));
}

}  // namespace
}  // namespace fatwood
