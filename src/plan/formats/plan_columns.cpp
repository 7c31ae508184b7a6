// SPDX-License-Identifier: BSD-3-Clause
#include "plan/formats/plan_columns.hpp"

#include <algorithm>

#include "io/base/text.hpp"
#include "plan/model/device_words.hpp"

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

// Words of a header that name the same column.
struct EndWords {
  EndField field;
  Side side;
  std::initializer_list<std::string_view> words;
};
struct CableWords {
  CableField field;
  std::initializer_list<std::string_view> words;
};
const EndWords kEndWords[] = {
    {EndField::kDevice,
     Side::kA,
     {"startdevice", "anodename", "aname", "adevice", "source", "sourcename", "sourcedevice",
      "sourcehostname", "sideadevice", "devicea", "node", "nodea", "localdevice", "localnode",
      "hosta", "switcha"}},
    {EndField::kDevice,
     Side::kB,
     {"enddevice", "znodename", "zname", "zdevice", "destination", "destinationname",
      "destinationdevice", "destinationhostname", "sidebdevice", "deviceb", "peernode", "peer",
      "peername", "peerdevice", "nodeb", "remotedevice", "remotenode", "hostb", "switchb"}},
    {EndField::kDevice, Side::kEither, {"name", "nodename", "hostname", "device"}},
    {EndField::kPort,
     Side::kA,
     {"startport", "aport", "sourceport", "sideaname", "porta", "nodeinterface", "localinterface",
      "localport", "sourceinterface", "interfacea", "startinterface"}},
    {EndField::kPort,
     Side::kB,
     {"endport", "zport", "destinationport", "sidebname", "portb", "peerinterface", "peerport",
      "remoteinterface", "remoteport", "destinationinterface", "interfaceb", "endinterface"}},
    {EndField::kPort,
     Side::kEither,
     {"port", "hcaport", "hca", "interface", "interfacename", "portname"}},
    {EndField::kRack, Side::kA, {"startdevicelocation", "arack", "sourcerack", "racka"}},
    {EndField::kRack, Side::kB, {"enddevicelocation", "zrack", "destinationrack", "rackb"}},
    {EndField::kRack, Side::kEither, {"rack", "cabinet"}},
    {EndField::kUnit, Side::kA, {"au", "sourceu", "unita"}},
    {EndField::kUnit, Side::kB, {"zu", "destinationu", "unitb"}},
    {EndField::kUnit, Side::kEither, {"u", "uheight", "unit", "shelfu", "location"}},
    {EndField::kSlot, Side::kA, {"adaptera"}},
    {EndField::kSlot, Side::kB, {"adapterb"}},
    {EndField::kSlot, Side::kEither, {"slot", "name2", "tray"}},
    {EndField::kType, Side::kA, {"atype", "typea", "modela"}},
    {EndField::kType, Side::kB, {"ztype", "typeb", "modelb", "peertype"}},
    {EndField::kType, Side::kEither, {"nodetype"}},
    {EndField::kRole, Side::kA, {"rolea"}},
    {EndField::kRole, Side::kB, {"roleb"}},
    {EndField::kGuid, Side::kA, {"guida"}},
    {EndField::kGuid, Side::kB, {"guidb"}},
};
const CableWords kCableWords[] = {
    {CableField::kLabel, {"label", "cablelabel"}},
    {CableField::kType, {"cabletype", "part", "partnumber", "type", "cable"}},
    {CableField::kDetails, {"details"}},
    {CableField::kLength, {"cablelength", "length", "lengthm"}},
    {CableField::kLengthUnit, {"lengthunit"}},
    {CableField::kSpeed, {"speed", "bandwidth"}},
    {CableField::kRate, {"rate"}},
    {CableField::kState, {"state"}},
};

// The row of a table that has the word.
template <class Table>
auto row_with(const Table& table, std::string_view word) {
  return std::ranges::find_if(table, [&](const auto& row) {
    return std::ranges::find(row.words, word) != row.words.end();
  });
}

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
    const auto end = row_with(kEndWords, word);
    if (end != std::end(kEndWords)) {
      const std::size_t side = set(end->field, end->side, i);
      if (side < 2 && word.starts_with("hca")) columns_.adapters[side] = true;
      return;
    }
    const auto cable = row_with(kCableWords, word);
    if (cable != std::end(kCableWords)) set(cable->field, i);
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
