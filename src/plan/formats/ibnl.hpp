// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// IBNL files of ibutils: the chips of a box, the cables inside it, and the panel port of each chip
// port. One file describes one top system and its boards.
//
//   SYSTEM LEAF,LEAF:4x                  a board, with other names for it
//   NODE SW 8 MT43132 U1                 a chip: kind, ports, device, name
//      1 -> P1                           chip port 1 is the board's port P1
//      2 -4x-5G-> U3 8                   an inside cable to port 8 of chip U3
//   TOPSYSTEM Gazelle,MTS9600            the box
//   SUBSYSTEM LEAF leaf1                 a board in it
//      P13 -> L1/P1                      its port P13 is L1/P1 of the panel
//      P1 -> spine2 P1                   an inside cable
//
// Encoding: systems by each of their names; names of boards are valid only in their own file. Lines
// "U1=..." are settings and are skipped.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "io/base/input.hpp"
#include "plan/model/plan_builder.hpp"

namespace fatwood {

struct IbnlPort {
  std::string port;        // a number of a chip, a name of a board
  std::string other;       // a chip or board of the same system; "": the panel
  std::string other_port;  // its port, or the panel's
};

struct IbnlPart {
  std::string name;
  std::string type;  // of a board; "" for a chip
  NodeKind kind = NodeKind::kSwitch;
  std::uint32_t ports = 0;  // of a chip
  std::vector<IbnlPort> joined;
};

struct IbnlSystem {
  std::vector<IbnlPart> parts;
};

class IbnlLibrary {
 public:
  // InputError with line and column. Systems read later replace those of the same name.
  void read(Input& input);
  // Every *.ibnl file of a folder, in order of names. InputError if it is no folder.
  void read_folder(const std::string& path);
  bool empty() const { return systems_.empty(); }
  bool has(const std::string& type) const;

  // A box of this type without the boards that `boards` removes ("leaf1=R"); "leaf1=LEAF:1x"
  // replaces a board. REQUIRES has(type). InputError for an unknown board, and for boxes of more
  // than 4096 chips.
  DeviceInside inside(const std::string& type,
                      const std::map<std::string, std::string>& boards) const;

 private:
  using Names = std::map<std::string, std::size_t>;  // indices in systems_
  std::map<std::string, std::size_t> file_of_;       // by box: the number of its file
  std::vector<Names> files_;                         // boxes and boards
  std::vector<IbnlSystem> systems_;
};

}  // namespace fatwood
