// SPDX-License-Identifier: BSD-3-Clause
// Roles of hosts: against fabrics whose roles are known by construction, and against what was
// counted by hand on real ones.

#include "topology/hosts/roles.hpp"

#include <gtest/gtest.h>

#include <string>

#include "io/fabric/load_fabric.hpp"
#include "io/fabric/spec.hpp"
#include "support/rail_fabric.hpp"
#include "support/real_fabrics.hpp"
#include "support/sketch.hpp"
#include "topology/change/faults.hpp"
#include "topology/model.hpp"

namespace fatwood {
namespace {

using test::here;
using test::sketch;

// Four leaves with 16 hosts under two spines, and what is added.
std::string tree_with(const std::string& more) {
  return "L1:16 L2:16 L3:16 L4:16 S1 S2 L1-S1*4 L1-S2*4 L2-S1*4 L2-S2*4 L3-S1*4 L3-S2*4 "
         "L4-S1*4 L4-S2*4 " +
         more;
}

// With ids for names, and one host under another name.
Fabric with_names(const Fabric& fabric, std::string_view id = "", std::string_view name = "") {
  Names names;
  for (const Node node : ids<Node>(fabric.num_nodes())) {
    names.push_back(fabric.id(node) == id ? name : fabric.id(node));
  }
  return fabric.renamed(names);
}

HostRole role_of(const Model& model, std::string_view name) {
  const auto called = model.hosts().hosts.called(name);
  EXPECT_EQ(called.size(), 1U) << name;
  return called.empty() ? HostRole{} : model.roles().of(called.front());
}

TEST(RoleNames, WordsAndStems) {
  EXPECT_EQ(role_in_name("selene-login-02"), Role::kService);
  EXPECT_EQ(role_in_name("OSS12"), Role::kStorage);
  EXPECT_EQ(role_in_name("login-gpu1"), Role::kService);
  EXPECT_EQ(role_in_name("node17"), Role::kCompute);
  EXPECT_EQ(role_in_name("blogin1"), std::nullopt);
  EXPECT_EQ(role_in_name(""), std::nullopt);
  EXPECT_EQ(name_stem("luna-0129"), name_stem("luna-7"));
  EXPECT_NE(name_stem("luna-1"), name_stem("sol-1"));
}

TEST(Roles, AllComputeWhereNothingDistinguishes) {
  for (const char* spec : {"ft(8,3)", "xgft(3;4,4,8;1,4,4)", "ring(8)", "torus(3,3,3)",
                           "hypercube(4)", "random(16,32,seed=3001)", "juropa", "like-x5"}) {
    const Model model(make_fabric(spec));
    EXPECT_FALSE(model.roles().differ()) << spec;
    EXPECT_EQ(model.roles().adapters(Role::kCompute), model.adapters().size()) << spec;
  }
}

TEST(Roles, DamageMakesNoServiceHosts) {
  const Model model(
      sketch("L1:16 L2:16 L3:16 L4:16 S1 S2 S3 S4 L1-S1*2 L1-S2*2 L1-S3*2 L1-S4*2 L2-S1*2 L2-S2*2 "
             "L2-S3*2 L2-S4*2 L3-S1*2 L3-S2*2 L3-S3*2 L3-S4*2 L4-S1"));
  EXPECT_FALSE(model.roles().differ());
}

TEST(Roles, SmallLeafOffTheSideIsForService) {
  const Model model(with_names(sketch(tree_with("M1:3 M1-S1"))));
  EXPECT_EQ(model.roles().hosts(Role::kService), 3U);
  EXPECT_EQ(model.roles().adapters(Role::kCompute), 64U);
  EXPECT_EQ(role_of(model, "M1.1").reason, RoleSign::kOwnLeaf);
  EXPECT_EQ(role_of(model, "L1.1").reason, RoleSign::kLikeMost);
}

TEST(Roles, FullLeafOffTheSideIsForStorage) {
  const Model model(with_names(sketch(tree_with("D1:12 D1-S1*2"))));
  EXPECT_EQ(model.roles().hosts(Role::kStorage), 12U);
  EXPECT_EQ(role_of(model, "D1.1").kind, RoleSign::kFullLeaf);
}

TEST(Roles, HostsAboveTheLeaves) {
  const Model model(
      sketch("L1:16 L2:16 L3:16 L4:16 S1:2 S2 L1-S1*4 L1-S2*4 L2-S1*4 L2-S2*4 "
             "L3-S1*4 L3-S2*4 L4-S1*4 L4-S2*4"));
  EXPECT_EQ(model.roles().hosts(Role::kService), 2U);
  EXPECT_EQ(role_of(model, "S1.1").reason, RoleSign::kAboveLeaves);
}

TEST(Roles, NamesAreTheLastResort) {
  const Fabric plain = sketch(tree_with(""));
  for (const auto& [name, role] :
       {std::pair{"login3", Role::kService}, std::pair{"mds1", Role::kStorage},
        std::pair{"orion", Role::kCompute}}) {
    const Model model(with_names(plain, "L2.5", name));
    EXPECT_EQ(role_of(model, name).role, role) << name;
    EXPECT_EQ(model.roles().hosts(Role::kCompute), role == Role::kCompute ? 64U : 63U) << name;
  }
}

TEST(Roles, GivenOnesCountMost) {
  const Fabric fabric = sketch(tree_with("M1:3 M1-S1"));
  const Model model(fabric, {.compute = {Terminal{0}, Terminal{1}}, .uncounted = {Terminal{2}}});
  EXPECT_EQ(model.roles().hosts(Role::kCompute), 2U);
  EXPECT_EQ(model.roles().hosts(Role::kStorage), 1U);
  EXPECT_EQ(model.roles().hosts(Role::kService), 64U);
}

TEST(Roles, RailsAndStorageLeaf) {
  const Model plain(test::rail_fabric({.units = 3, .hosts = 6}));
  EXPECT_FALSE(plain.roles().differ());
  const Model model(test::rail_fabric({.units = 3, .hosts = 6, .storage_leaf = true}));
  EXPECT_EQ(model.roles().hosts(Role::kCompute), 18U);
  EXPECT_EQ(model.roles().adapters(Role::kCompute), 18U * 4);
  EXPECT_EQ(model.roles().adapters(Role::kStorage), 18U);
}

TEST(Roles, LifelikeFabrics) {
  for (const std::string& name : here({"like-selene", "selene/selene.compute.txt"})) {
    const Model model(load_fabric(name).fabric);
    EXPECT_EQ(model.roles().adapters(Role::kCompute), 3664U) << name;
    EXPECT_EQ(model.roles().adapters(Role::kStorage), 0U) << name;
  }
  for (const std::string& name : here({"stage/ibnetdiscover.txt"})) {
    const Model model(load_fabric(name).fabric);
    EXPECT_EQ(role_of(model, "tank1").role, Role::kStorage);
    EXPECT_EQ(role_of(model, "tank2").role, Role::kStorage);
    EXPECT_EQ(model.roles().hosts(Role::kCompute), 142U);
  }
  for (const std::string& name : here({"dgx-ndr/ibnetdiscover.txt"})) {
    const Model model(load_fabric(name).fabric);
    EXPECT_EQ(role_of(model, "B11-P1-CUFM-02").role, Role::kService);
    EXPECT_EQ(model.roles().hosts(Role::kCompute), 139U);
  }
}

}  // namespace
}  // namespace fatwood
