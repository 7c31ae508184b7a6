// SPDX-License-Identifier: BSD-3-Clause
// Adaptive tables: written and read back, the layouts that occur, what does not fit, what is cut.

#include "io/tables/far.hpp"

#include <gtest/gtest.h>

#include <regex>
#include <sstream>

#include "core/error.hpp"
#include "core/random.hpp"
#include "io/base/input.hpp"
#include "io/base/input_parts.hpp"
#include "io/tables/load_tables.hpp"
#include "oracle/bfs_tables.hpp"
#include "support/input_error.hpp"
#include "topology/generate/tree.hpp"

namespace fatwood {
namespace {

using Ports = std::vector<Port>;

LoadedTables read(std::string_view text, const Fabric& fabric) {
  Input input(text, "far");
  return read_tables(input, fabric);
}
std::string error_of(std::string_view text, const Fabric& fabric) {
  return test::input_error_of([&] { read(text, fabric); });
}
std::string all_warnings(const LoadedTables& loaded) {
  std::string all;
  for (const std::string& text : loaded.warnings) all += text + "\n";
  return all;
}

// Leaves S1_0 and S1_1 (GUIDs 0x20...10000... + i), hosts at ports 1 and 2, spines at 3 and 4.
const Fabric& tree() {
  static const Fabric fabric = make_tree(xgft({2, 2}, {1, 2}));
  return fabric;
}
std::string guid(Switch s) {
  char text[32];
  std::snprintf(text, sizeof text, "0x%016llx",
                static_cast<unsigned long long>(tree().guid(tree().node(s))));
  return text;
}
Ports ports(const LoadedTables& loaded, Switch s, Destination destination) {
  const auto span = loaded.sets.ports(s, destination, loaded.tables.at(destination, s));
  return {span.begin(), span.end()};
}

// One switch's section: the groups' rows and the table's.
std::string section(Switch s, std::string_view groups, std::string_view rows,
                    std::string_view titles = "Group   Sub Group   WHBF    Ports") {
  return "Switch " + guid(s) + "\nsome setting: 1\n\nGroups Definition:\n" + std::string(titles) +
         "\n------\n" + std::string(groups) +
         "\nLFT Definition:\nPLFT_NUM: 0, top: 0x0008\n"
         "LID       Static Port   Lid State   Group\n------\n" +
         std::string(rows) + "\n";
}

Routing adaptive(const Fabric& fabric, unsigned lmc, GroupNumber groups = 400) {
  Routing routing;
  routing.tables = test::bfs_tables(fabric, lmc);
  Random random(3, lmc);
  PortSetsBuilder builder(fabric);
  const auto any_port = [&](Switch s) {
    return static_cast<Port>(1 + random.below(fabric.ports(fabric.node(s))));
  };
  for (const Switch s : ids<Switch>(fabric.num_switches())) {
    for (GroupNumber g = 0; g < groups; ++g) {
      PortGroup group(random.below(3));
      for (SubGroup& part : group) {
        part.weight = static_cast<std::uint16_t>(random.below(10));
        for (std::uint32_t k = random.below(4); k > 0; --k) part.ports.push_back(any_port(s));
      }
      if (!group.empty()) builder.add_group(s, g, group);
    }
  }
  for (const Destination destination : ids<Destination>(routing.tables.num_destinations())) {
    std::vector<PortSets::Kind> row;
    for (const Switch s : ids<Switch>(fabric.num_switches())) {
      const auto state = static_cast<EntryState>(random.below(4));
      const Port own = routing.tables.at(destination, s);
      auto group = static_cast<GroupNumber>(random.below(groups));
      while (!builder.has_group(s, group)) {
        group = static_cast<GroupNumber>((group + 1U) % groups);
      }
      row.push_back(own == kOwnPort ? PortSets::Kind{0} : builder.kind(s, state, group, own));
    }
    builder.set_row(destination, row);
  }
  routing.sets = std::move(builder).build(routing.tables.num_destinations());
  return routing;
}

TEST(Far, WriteAndReadAgree) {
  const Fabric fabric = make_tree(xgft({4, 4, 4}, {1, 2, 2}));
  for (const unsigned lmc : {0U, 2U}) {
    const Routing routing = adaptive(fabric, lmc);
    std::ostringstream out;
    write_far(out, fabric, routing, assign_lids(fabric, lmc));
    const LoadedTables loaded = read(out.str(), fabric);
    EXPECT_EQ(loaded.format, "far");
    EXPECT_TRUE(loaded.warnings.empty()) << all_warnings(loaded);
    EXPECT_TRUE(loaded.tables == routing.tables);
    EXPECT_TRUE(loaded.sets == routing.sets);
    const Routing again{.engine = "",
                        .tables = loaded.tables,
                        .lanes = {},
                        .sl2vl = {},
                        .source_routes = {},
                        .sets = loaded.sets,
                        .unknown = {}};
    std::ostringstream twice;
    write_far(twice, fabric, again, assign_lids(fabric, lmc));
    EXPECT_EQ(out.str(), twice.str());
  }
}

TEST(Far, PlainTablesAreAllStatic) {
  Routing routing;
  routing.tables = test::bfs_tables(tree());
  std::ostringstream out;
  write_far(out, tree(), routing, assign_lids(tree(), 0));
  const LoadedTables loaded = read(out.str(), tree());
  EXPECT_TRUE(loaded.tables == routing.tables);
  EXPECT_TRUE(loaded.sets.empty());
}

TEST(Far, ReadsGroupsOfAllLayouts) {
  const std::string rows =
      "0x0003    3             Free        1\n0x0004    4             Static      1\n";
  for (const std::string& text :
       {section(Switch{0}, "1       0           0       3,4,\n1       1           0\n", rows),
        section(Switch{0}, "1 0 3,\n1 1 4,\n", rows, "Group   Sub Group   Ports"),
        section(Switch{0}, "1 3,4,\n", rows, "Group   Ports"),
        section(Switch{0}, "1 0 5 3, 4\n", rows)}) {
    const LoadedTables loaded = read("File version: 2\n\n" + text, tree());
    EXPECT_EQ(ports(loaded, Switch{0}, Destination{2}), (Ports{Port{3}, Port{4}})) << text;
    EXPECT_EQ(ports(loaded, Switch{0}, Destination{3}), Ports{Port{4}});
    EXPECT_EQ(loaded.sets.state(Switch{0}, Destination{2}), EntryState::kFree);
  }
}

TEST(Far, KeepsAllSubGroupsAndStates) {
  const LoadedTables loaded =
      read(section(Switch{0}, "5 0 3 3,\n5 1 1 4,\n6 0 0\n",
                   "0x0003 4 Bounded 5\n0x0004 4 HBF 5\n0x0002 2 Free 6\n0x0001 255 Free 5\n"
                   "0x0005 0 Free 5\n0x0006 1 Free 5\n"),
           tree());
  const PortSets& sets = loaded.sets;
  EXPECT_EQ(sets.state(Switch{0}, Destination{2}), EntryState::kBounded);
  EXPECT_EQ(sets.state(Switch{0}, Destination{3}), EntryState::kHashed);
  EXPECT_EQ(ports(loaded, Switch{0}, Destination{3}), (Ports{Port{3}, Port{4}}));
  EXPECT_EQ(ports(loaded, Switch{0}, Destination{1}), Ports{Port{2}});  // an empty group
  EXPECT_EQ(ports(loaded, Switch{0}, Destination{0}),
            (Ports{Port{3}, Port{4}}));                                  // no default port
  EXPECT_EQ(ports(loaded, Switch{0}, Destination{4}), Ports{kOwnPort});  // the switch itself
  EXPECT_EQ(ports(loaded, Switch{0}, Destination{5}), (Ports{Port{1}, Port{3}, Port{4}}));
  const PortGroup& group = sets.content(sets.groups(Switch{0})[0]);
  ASSERT_EQ(group.size(), 2U);
  EXPECT_EQ(group[0].weight, 3);
  EXPECT_EQ(group[1].ports, Ports{Port{4}});
}

TEST(Far, TellsWhatDoesNotFit) {
  const LoadedTables loaded =
      read(section(Switch{0}, "1 0 0 3,4,9,\nTotal: 1\n",
                   "0x0003 3 Free 1\n0x0004 9 Free 1\n0x0002 2 Free 8\n0x0002 1 Static 0\n") +
               "Switch 0xff\n\nGroups Definition:\n1 0 0 77,\n\nLFT Definition:\n"
               "0x0001 88 Static 0\n",
           tree());
  const std::string all = all_warnings(loaded);
  for (const std::string_view part : {"far:7: a group with a port that the switch does not have",
                                      "far:8: a line that is not a row",
                                      "far:15: a route by a port that the switch does not have",
                                      "far:16: routes by a group that is not defined",
                                      "far:17: an address is listed twice, with different routes",
                                      "far:19: tables of a switch that the fabric does not have"}) {
    EXPECT_NE(all.find(part), std::string::npos) << part << "\n in\n" << all;
  }
  EXPECT_EQ(ports(loaded, Switch{0}, Destination{2}), (Ports{Port{3}, Port{4}}));
  EXPECT_EQ(ports(loaded, Switch{0}, Destination{3}), (Ports{Port{3}, Port{4}}));
  EXPECT_EQ(ports(loaded, Switch{0}, Destination{1}), Ports{Port{1}});
}

// Two files put together: differences are reported, of routes and of groups.
TEST(Far, TellsWhatASecondSectionChanges) {
  const std::string one = section(Switch{0}, "1 0 0 3,4,\n", "0x0003 3 Free 1\n0x0004 4 Free 1\n");
  EXPECT_EQ(all_warnings(read(one + "File version: 2\n" + one, tree())).find("second"),
            std::string::npos);
  const std::string other =
      section(Switch{0}, "1 0 0 3,\n", "0x0003 3 Static 1\n0x0004 4 Free 1\n");
  const LoadedTables loaded = read(one + other, tree());
  const std::string all = all_warnings(loaded);
  for (const std::string_view part :
       {"far:22: a group that comes again with other ports; the first one counts",
        "far:28: an address is listed twice, with different routes; the last one counts\n"}) {
    EXPECT_NE(all.find(part), std::string::npos) << part << "\n in\n" << all;
  }
  EXPECT_EQ(ports(loaded, Switch{0}, Destination{2}), Ports{Port{3}});
  EXPECT_EQ(ports(loaded, Switch{0}, Destination{3}), (Ports{Port{3}, Port{4}}));
}

TEST(Far, PrivateTablesMustAgree) {
  const std::string base =
      section(Switch{0}, "1 0 0 3,4,\n", "0x0003 3 Free 1\n0x0001 1 Static 0\n");
  const LoadedTables loaded =
      read(base + "PLFT_NUM: 1, top: 0x0008\n0x0001 1 Static 0\n0x0003 3 Free 1\n", tree());
  EXPECT_EQ(ports(loaded, Switch{0}, Destination{2}), (Ports{Port{3}, Port{4}}));
  EXPECT_NE(
      error_of(base + "PLFT_NUM: 1, top: 0x0008\n0x0001 1 Static 0\n0x0003 4 Free 1\n", tree())
          .find("far:18:1: S1_0 has private tables that differ: number 1 has another route to "
                "LID 3 than number 0"),
      std::string::npos);
  EXPECT_NE(error_of(base + "PLFT_NUM: 1, top: 0x0008\n0x0001 1 Static 0\n", tree())
                .find("2 routes in number 0, 1 in number 1"),
            std::string::npos);
  EXPECT_NE(error_of(base + "PLFT_NUM: 1, top: 0x0008\n0x0003 3 Static 0\n", tree())
                .find("another route to LID 3"),
            std::string::npos);
}

TEST(Far, RefusesWithPlaceAndExpectation) {
  const auto refuses = [](const std::string& text, std::string_view message) {
    EXPECT_NE(error_of(text, tree()).find(message), std::string::npos)
        << error_of(text, tree()) << "\n for\n"
        << text;
  };
  const auto row = [](std::string_view text) { return section(Switch{0}, "", text); };
  refuses(row("0x0003 3 Loose 1\n"),
          "far:12:10: expected Static, Free, Bounded or HBF, found 'Loose'");
  refuses(row("0x0003 3 Free\n"), "far:12:14: expected a group's number, found the end");
  refuses(row("0x0003 300 Free 1\n"), "far:12:8: a port is too large");
  refuses(row("0xc000 3 Free 1\n"), "far:12:3: a LID is too large");
  refuses(row("0x0003 3 Free 65535\n"), "a group's number is too large");
  refuses(row("0x0003 3 Free 1 x\n"), "far:12:17: expected the end of the line, found 'x'");
  refuses(row("0x0003\n"), "far:12:7: expected a blank and a port");
  refuses(section(Switch{0}, "1 0 0 3,x,\n", ""), "far:7:9: expected a port, found 'x,'");
  refuses(section(Switch{0}, "1 3,4,\n", ""), "far:7:4: expected a blank after a sub-group");
  refuses(section(Switch{0}, "1\n", ""), "far:7:2: expected a sub-group");
  refuses("what\nLFT Definition:\n", "far:2:1: expected 'File version:' or 'Switch 0x...'");
  refuses(row("0x0003 3 Free 1\n") + "\x1b[1mSwitch 0x12\n",
          "far:14:1: expected 'Switch 0x...' at the beginning of a line, without control");
  refuses("File version: 2\n#\nLFT Definition:\n", "far:3:1: expected 'File version:' or 'Switch");
  refuses(row("0x0003 3 Free 1\n") + "Switch 0x20", "far:14:12: the file is cut short");
  refuses(section(Switch{0}, "1 16 0 3,\n", ""), "far:7:3: a sub-group is too large");
  refuses(row("0x0003 3 Fr\x1b[0mFee 1\n"), "found 'FrFee'");
  refuses("Switch 0xff\nGroups Definition:\n\nLFT Definition:\n", "tables of another fabric");
  refuses("# File created at x\n" + row("0x0003 3 Free 1\n"),
          "far:15:1: the file is cut short; expected '# File closed at'");
  const std::string whole = row("0x0003 3 Free 1\n");
  refuses(whole.substr(0, whole.size() - 2), "far:12:16: the file is cut short");
}

// All that a file says, or its error, as a text.
std::string said(std::string_view text, const Fabric& fabric, int threads, std::size_t part) {
  try {
    Input input(text, "far");
    Warnings warnings("far");
    const LidTables tables = read_far(input, fabric, warnings, threads, part);
    std::string all;
    for (const std::string& warning : warnings.texts()) all += warning + "\n";
    const auto add = [&](const auto& rows) {
      for (const Lid lid : ids<Lid>(rows.size())) {
        if (!rows[lid]) continue;
        const auto* const bytes = reinterpret_cast<const char*>(rows[lid].get());
        all += std::to_string(index(lid)) + ":" + std::string(bytes, fabric.num_switches());
      }
    };
    add(tables.row);
    add(tables.kind_low);
    add(tables.kind_high);
    return all;
  } catch (const InputError& error) {
    return std::string("error ") + error.what();
  }
}

// A log of a terminal: prompts, a banner, a pager, line ends of two kinds.
TEST(Far, ReadsWhatWasPasted) {
  const Fabric fabric = make_tree(xgft({4, 4, 4}, {1, 2, 2}));
  const Routing routing = adaptive(fabric, 0, 9);
  std::ostringstream out;
  write_far(out, fabric, routing, assign_lids(fabric, 0));
  for (const std::string_view end : {"\r\n", "\r\r\n"}) {
    std::string log = "=~=~=~= PuTTY log 2024.05.01 10:00:00 =~=~=~=\nLast login: today\n";
    log += "[root@sm ~]# cat ibdiagnet2.far\nwelcome" + std::string(end);
    std::istringstream in(out.str());
    std::size_t number = 0, pages = 0;
    for (std::string line; std::getline(in, line); ++number) {
      // A pager's own line is written over, wherever it stands.
      if (number % 30 == 29 || line.starts_with("Switch")) {
        log += "--More--\r        \r";
        ++pages;
      }
      log += line + std::string(end);
    }
    log += "root@sm:~$ exit" + std::string(end) + "logout" + std::string(end);
    Input input(log, "far");
    const LoadedTables loaded = read_tables(input, fabric);
    EXPECT_TRUE(loaded.tables == routing.tables && loaded.sets == routing.sets);
    EXPECT_EQ(loaded.warnings,
              (std::vector<std::string>{
                  "far:1: a terminal's prompt, skipped (here and 2 times more)",
                  "far:2: text before the first switch, skipped (here and 1 times more)",
                  "far:11: control characters in a line, skipped (here and " +
                      std::to_string(pages - 1) + " times more)",
                  "far:" + std::to_string(number + 6) +
                      ": a line that is not a row of a table, skipped"}));
    EXPECT_EQ(said(log, fabric, 3, 1), said(log, fabric, 1, std::size_t{1} << 30U));
  }
}

// Lines lost, doubled, spoilt; sections that come again; the end cut off.
std::string mangled(std::string text, std::uint32_t seed) {
  Random random(11, seed);
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line + "\n");
  for (std::uint32_t k = random.below(4); k > 0; --k) {
    const auto size = static_cast<std::uint32_t>(lines.size());
    const auto at = lines.begin() + random.below(size);
    switch (random.below(6)) {
      case 0:
        lines.erase(at);
        break;
      case 1:
        lines.insert(at, *at);
        break;
      case 2:
        *at = "0x0003 7 Free\n";
        break;
      case 3:
        *at = "  Switch 0x1234\n";
        break;
      case 4: {
        const std::vector<std::string> again(at, at + random.below(size - random.below(size)) % 9);
        lines.insert(lines.end() - 1, again.begin(), again.end());
        break;
      }
      default:
        at->resize(random.below(static_cast<std::uint32_t>(at->size())));
    }
  }
  std::string all;
  for (const std::string& line : lines) all += line;
  if (random.below(3) == 0) all.resize(random.below(static_cast<std::uint32_t>(all.size())));
  return all;
}

TEST(Far, PartsAndThreadsDoNotMatter) {
  const Fabric fabric = make_tree(xgft({3, 3}, {1, 2}));
  std::ostringstream out;
  write_far(out, fabric, adaptive(fabric, 1), assign_lids(fabric, 1));
  const std::string text = out.str();
  const std::size_t second = text.find("\nSwitch", text.find("Switch"));
  const std::string twice = text + text.substr(second);  // switches that come again
  std::size_t errors = 0;
  for (std::uint32_t seed = 0; seed < 120; ++seed) {
    const std::string some = mangled(seed % 2 == 0 ? text : twice, seed);
    const std::string serial = said(some, fabric, 1, std::size_t{1} << 30U);
    errors += serial.starts_with("error ") ? 1U : 0U;
    ASSERT_EQ(said(some, fabric, 1, 1), serial) << seed;
    ASSERT_EQ(said(some, fabric, 3, 1), serial) << seed;
    ASSERT_EQ(said(some, fabric, 2, 9000), serial) << seed;
  }
  EXPECT_GT(errors, 10U);
}

// The same rows, each with blanks of its own, so that none has the text of another.
std::string without_repetition(const std::string& text) {
  static const std::regex kRow("(0x[0-9a-f]{4}) +([0-9]+) +(Static|Free|Bounded|HBF) +([0-9]+)\r?");
  std::istringstream in(text);
  std::string all, line;
  std::smatch row;
  for (std::size_t number = 0; std::getline(in, line); ++number) {
    if (std::regex_match(line, row, kRow)) {
      line = row.str(1) + std::string(1 + number % 97, ' ') + row.str(2) +
             std::string(1 + number % 89, '\t') + row.str(3) + " " + row.str(4);
    }
    all += line;
    if (!in.eof()) all += '\n';
  }
  return all;
}

// A row whose text is that of one before is read by comparing: all that is said must be what is
// said when no two rows are alike.
TEST(Far, RepeatedRowsSayTheSame) {
  const Fabric fabric = make_tree(xgft({6, 6}, {1, 3}));
  std::ostringstream out;
  write_far(out, fabric, adaptive(fabric, 2, 12), assign_lids(fabric, 2));
  std::size_t errors = 0;
  for (std::uint32_t seed = 0; seed < 150; ++seed) {
    std::string text = out.str();
    Random random(5, seed);
    const auto spoil = [&](std::string_view what, std::string_view with) {
      const std::size_t at = text.find(what, random.below(static_cast<std::uint32_t>(text.size())));
      if (random.below(4) != 0 || at == std::string::npos) return;
      text.replace(at, what.size(), with);
    };
    spoil("top: 0x", "top: 0x0010 was ");
    spoil("\n0x00", "\n0x00000");  // a LID of seven digits
    spoil("\n0x0", "\n0x00");      // of five, and another than its first four
    spoil("\n0x00", "\n0xc0");     // too large
    spoil("Static      0\n", "Static      0");
    spoil("Free        1", "Free        99");  // not defined
    spoil("    1    ", "    200  ");           // no such port
    if (seed % 3 == 0) text = mangled(text, seed);
    const std::string plain = said(without_repetition(text), fabric, 1, std::size_t{1} << 30U);
    errors += plain.starts_with("error ") ? 1U : 0U;
    ASSERT_EQ(said(text, fabric, 1, std::size_t{1} << 30U), plain) << seed;
  }
  EXPECT_GT(errors, 10U);
  EXPECT_LT(errors, 140U);
}

TEST(Far, PartsAreWholeSections) {
  const std::string text = "head\n\nSwitch 0x1\na\n\tSwitch 0x2\nno Switch 0x3\nSwitch 0x4";
  Input input(text, "file");
  InputParts parts(input, "Switch 0x", 8);
  std::string together;
  std::vector<std::size_t> before, sections;
  for (;;) {
    const InputPart part = parts.next({});
    if (part.size == 0) break;
    together.append(part.bytes.data(), part.size);
    before.push_back(part.lines_before);
    sections.push_back(part.sections.size());
  }
  EXPECT_EQ(together, text);
  EXPECT_EQ(before, (std::vector<std::size_t>{0, 4, 6}));
  EXPECT_EQ(sections, (std::vector<std::size_t>{1, 1, 1}));
  EXPECT_EQ(parts.lines(), 6U);
}

}  // namespace
}  // namespace fatwood
