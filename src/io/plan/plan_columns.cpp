// SPDX-License-Identifier: BSD-3-Clause
#include "io/plan/plan_columns.hpp"

#include <algorithm>

#include "io/base/text.hpp"
#include "topology/plan/device_words.hpp"

namespace fatwood {

std::optional<std::vector<CsvCell>> split_csv(std::string_view line, CsvSeparator separator) {
  std::vector<CsvCell> cells;
  const char mark = static_cast<char>(separator);
  std::size_t at = 0;
  while (true) {
    while (at < line.size() && line[at] == ' ') ++at;
    CsvCell cell{"", at + 1};
    if (at < line.size() && line[at] == '"') {
      for (++at; at < line.size(); ++at) {
        if (line[at] == '"' && (at + 1 == line.size() || line[at + 1] != '"')) break;
        if (line[at] == '"') ++at;
        cell.text += line[at];
      }
      if (at >= line.size()) return std::nullopt;
      at = std::min(line.size(), line.find(mark, at));
    } else {
      const std::size_t end = std::min(line.size(), line.find(mark, at));
      cell.text = trimmed(line.substr(at, end - at));
      at = end;
    }
    cells.push_back(std::move(cell));
    if (at == line.size()) return cells;
    ++at;
  }
}

namespace {

enum class Side : std::uint8_t { kA, kB, kEither };

struct EndWord {
  std::string_view word;
  EndField field;
  Side side;
};
struct CableWord {
  std::string_view word;
  CableField field;
};

constexpr std::array<EndWord, 74> kEndWords{{{"startdevice", EndField::kDevice, Side::kA},
                                             {"enddevice", EndField::kDevice, Side::kB},
                                             {"startport", EndField::kPort, Side::kA},
                                             {"endport", EndField::kPort, Side::kB},
                                             {"startdevicelocation", EndField::kRack, Side::kA},
                                             {"enddevicelocation", EndField::kRack, Side::kB},
                                             {"rack", EndField::kRack, Side::kEither},
                                             {"cabinet", EndField::kRack, Side::kEither},
                                             {"u", EndField::kUnit, Side::kEither},
                                             {"uheight", EndField::kUnit, Side::kEither},
                                             {"unit", EndField::kUnit, Side::kEither},
                                             {"shelfu", EndField::kUnit, Side::kEither},
                                             {"location", EndField::kUnit, Side::kEither},
                                             {"anodename", EndField::kDevice, Side::kA},
                                             {"znodename", EndField::kDevice, Side::kB},
                                             {"aname", EndField::kDevice, Side::kA},
                                             {"zname", EndField::kDevice, Side::kB},
                                             {"adevice", EndField::kDevice, Side::kA},
                                             {"zdevice", EndField::kDevice, Side::kB},
                                             {"aport", EndField::kPort, Side::kA},
                                             {"zport", EndField::kPort, Side::kB},
                                             {"atype", EndField::kType, Side::kA},
                                             {"ztype", EndField::kType, Side::kB},
                                             {"arack", EndField::kRack, Side::kA},
                                             {"zrack", EndField::kRack, Side::kB},
                                             {"au", EndField::kUnit, Side::kA},
                                             {"zu", EndField::kUnit, Side::kB},
                                             {"name", EndField::kDevice, Side::kEither},
                                             {"nodename", EndField::kDevice, Side::kEither},
                                             {"hostname", EndField::kDevice, Side::kEither},
                                             {"device", EndField::kDevice, Side::kEither},
                                             {"port", EndField::kPort, Side::kEither},
                                             {"hcaport", EndField::kPort, Side::kEither},
                                             {"hca", EndField::kPort, Side::kEither},
                                             {"source", EndField::kDevice, Side::kA},
                                             {"sourcename", EndField::kDevice, Side::kA},
                                             {"sourcedevice", EndField::kDevice, Side::kA},
                                             {"sourcehostname", EndField::kDevice, Side::kA},
                                             {"sourceport", EndField::kPort, Side::kA},
                                             {"sourcerack", EndField::kRack, Side::kA},
                                             {"sourceu", EndField::kUnit, Side::kA},
                                             {"destination", EndField::kDevice, Side::kB},
                                             {"destinationname", EndField::kDevice, Side::kB},
                                             {"destinationdevice", EndField::kDevice, Side::kB},
                                             {"destinationhostname", EndField::kDevice, Side::kB},
                                             {"destinationport", EndField::kPort, Side::kB},
                                             {"destinationrack", EndField::kRack, Side::kB},
                                             {"destinationu", EndField::kUnit, Side::kB},
                                             {"slot", EndField::kSlot, Side::kEither},
                                             {"name2", EndField::kSlot, Side::kEither},
                                             {"tray", EndField::kSlot, Side::kEither},
                                             {"nodetype", EndField::kType, Side::kEither},
                                             {"sideadevice", EndField::kDevice, Side::kA},
                                             {"sidebdevice", EndField::kDevice, Side::kB},
                                             {"sideaname", EndField::kPort, Side::kA},
                                             {"sidebname", EndField::kPort, Side::kB},
                                             {"devicea", EndField::kDevice, Side::kA},
                                             {"deviceb", EndField::kDevice, Side::kB},
                                             {"porta", EndField::kPort, Side::kA},
                                             {"portb", EndField::kPort, Side::kB},
                                             {"racka", EndField::kRack, Side::kA},
                                             {"rackb", EndField::kRack, Side::kB},
                                             {"unita", EndField::kUnit, Side::kA},
                                             {"unitb", EndField::kUnit, Side::kB},
                                             {"adaptera", EndField::kSlot, Side::kA},
                                             {"adapterb", EndField::kSlot, Side::kB},
                                             {"typea", EndField::kType, Side::kA},
                                             {"typeb", EndField::kType, Side::kB},
                                             {"rolea", EndField::kRole, Side::kA},
                                             {"roleb", EndField::kRole, Side::kB},
                                             {"guida", EndField::kGuid, Side::kA},
                                             {"guidb", EndField::kGuid, Side::kB},
                                             {"modela", EndField::kType, Side::kA},
                                             {"modelb", EndField::kType, Side::kB}}};

constexpr std::array<CableWord, 16> kCableWords{{{"label", CableField::kLabel},
                                                 {"cablelabel", CableField::kLabel},
                                                 {"cabletype", CableField::kType},
                                                 {"part", CableField::kType},
                                                 {"partnumber", CableField::kType},
                                                 {"type", CableField::kType},
                                                 {"details", CableField::kDetails},
                                                 {"cablelength", CableField::kLength},
                                                 {"length", CableField::kLength},
                                                 {"lengthm", CableField::kLength},
                                                 {"lengthunit", CableField::kLengthUnit},
                                                 {"speed", CableField::kSpeed},
                                                 {"bandwidth", CableField::kSpeed},
                                                 {"rate", CableField::kRate},
                                                 {"state", CableField::kState},
                                                 {"cable", CableField::kType}}};

// "#Fields:StartDevice" is "startdevice", "A-Node Name" is "anodename".
std::string header_word(std::string_view cell) {
  std::string word;
  for (const char c : lower_case(cell)) {
    if (is_letter(c) || (c >= '0' && c <= '9')) word += c;
  }
  if (word.starts_with("fields")) word.erase(0, 6);
  return word;
}

class ColumnFinder {
 public:
  explicit ColumnFinder(const std::vector<CsvCell>& cells) {
    for (auto& end : columns_.end) end.fill(kNoColumn);
    columns_.cable.fill(kNoColumn);
    for (const CsvCell& cell : cells) words_.push_back(header_word(cell.text));
    const auto count = [&](std::string_view word) { return std::ranges::count(words_, word); };
    types_are_ends_ = count("type") > 1;
    names_are_units_ = count("name") == 4;
    columns_.repeats = count("rackgroup") > 0 || count("name2") > 0;
    for (std::size_t i = 0; i < words_.size(); ++i) find(static_cast<int>(i));
  }
  const PlanColumns& columns() const { return columns_; }

 private:
  void find(int i) {
    const std::string& word = words_[static_cast<std::size_t>(i)];
    // An unnamed column behind the speed has the cable's type in NDT files.
    if (word.empty()) {
      if (i > 0 && i == columns_.at(CableField::kSpeed) + 1) set(CableField::kType, i);
      return;
    }
    if (word == "type" && types_are_ends_) {
      set(EndField::kType, Side::kEither, i);
      return;
    }
    if (word == "name" && names_are_units_) {
      set(names_++ % 2 == 0 ? EndField::kUnit : EndField::kDevice, Side::kEither, i);
      return;
    }
    const auto end = std::ranges::find(kEndWords, word, &EndWord::word);
    if (end != kEndWords.end()) {
      const std::size_t side = set(end->field, end->side, i);
      if (side < 2 && word.starts_with("hca")) columns_.adapters[side] = true;
      return;
    }
    const auto cable = std::ranges::find(kCableWords, word, &CableWord::word);
    if (cable != kCableWords.end()) set(cable->field, i);
  }
  void set(CableField field, int i) {
    int& at = columns_.cable[static_cast<std::size_t>(field)];
    if (at == kNoColumn) at = i;
  }
  // The end it is of; 2 where both have one already.
  std::size_t set(EndField field, Side side, int i) {
    const auto f = static_cast<std::size_t>(field);
    // Locations are better than the rack's number in a room.
    const bool better = field == EndField::kRack && side != Side::kEither;
    for (const std::size_t end : {std::size_t{0}, std::size_t{1}}) {
      if (side == (end == 0 ? Side::kB : Side::kA)) continue;
      int& at = columns_.end[end][f];
      if (at != kNoColumn && !better) continue;
      at = i;
      return end;
    }
    return 2;
  }

  PlanColumns columns_;
  std::vector<std::string> words_;
  bool types_are_ends_ = false;
  bool names_are_units_ = false;
  int names_ = 0;
};

}  // namespace

std::optional<PlanColumns> plan_columns(std::string_view line) {
  for (const CsvSeparator separator :
       {CsvSeparator::kComma, CsvSeparator::kSemicolon, CsvSeparator::kTab}) {
    if (line.find(static_cast<char>(separator)) == std::string_view::npos) continue;
    const auto cells = split_csv(line, separator);
    if (!cells) continue;
    PlanColumns columns = ColumnFinder(*cells).columns();
    columns.separator = separator;
    const bool devices = columns.at(0, EndField::kDevice) != kNoColumn &&
                         columns.at(1, EndField::kDevice) != kNoColumn;
    const bool port =
        columns.at(0, EndField::kPort) != kNoColumn || columns.at(1, EndField::kPort) != kNoColumn;
    if (devices && port) return columns;
  }
  return std::nullopt;
}

std::string_view missing_column(const PlanColumns& columns) {
  if (columns.at(0, EndField::kPort) == kNoColumn) return "StartPort";
  if (columns.at(1, EndField::kPort) == kNoColumn) return "EndPort";
  return "";
}

}  // namespace fatwood
