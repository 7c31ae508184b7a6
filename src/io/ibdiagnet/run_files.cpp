// SPDX-License-Identifier: BSD-3-Clause
#include "io/ibdiagnet/run_files.hpp"

#include <algorithm>
#include <filesystem>
#include <tuple>
#include <utility>

#include "core/error.hpp"
#include "io/base/tar.hpp"
#include "io/fabric/ibnetdiscover.hpp"
#include "io/fabric/ports_report.hpp"
#include "io/fabric/subnet_lst.hpp"
#include "io/ibdiagnet/cables.hpp"
#include "io/ibdiagnet/db_csv.hpp"
#include "io/ibdiagnet/net_dump.hpp"
#include "io/ibdiagnet/net_dump_ext.hpp"
#include "io/ibdiagnet/pm.hpp"
#include "io/tables/far.hpp"
#include "io/tables/lane_file.hpp"
#include "io/tables/lfts.hpp"
#include "io/tables/sl2vl_file.hpp"

namespace fatwood {

namespace {

constexpr std::size_t kMostFiles = 100000;

RunFile part_of(std::string_view head) {
  constexpr std::pair<bool (*)(std::string_view), RunFile> kLooks[] = {
      {looks_like_db_csv, RunFile::kDbCsv},
      {looks_like_net_dump, RunFile::kNetDump},
      {looks_like_far, RunFile::kAdaptiveTables},
      {looks_like_lfts, RunFile::kLfts},
      {looks_like_subnet_lst, RunFile::kLst},
      {looks_like_net_dump_ext, RunFile::kSignals},
      {looks_like_cables, RunFile::kCables},  // before pm, which has the same blocks
      {looks_like_pm, RunFile::kPm},
      {looks_like_sl2vl, RunFile::kSl2vl},
      {looks_like_levels, RunFile::kPathLevels},
      {looks_like_ports_report, RunFile::kPortsReport},
      {looks_like_ibnetdiscover, RunFile::kIbnetdiscover},
  };
  for (const auto& [looks, part] : kLooks) {
    if (looks(head)) return part;
  }
  return RunFile::kOther;
}

// A file that can't be unpacked is none of ours.
RunFile part_in(Input& input) {
  try {
    const RunFile part = part_of(input.peek());
    if (part != RunFile::kOther) return part;
    Warnings warnings(input.name());  // the reader's will be printed
    input.skip_noise(warnings);
    return part_of(input.peek());
  } catch (const InputError&) {
    return RunFile::kOther;
  }
}

std::string base_name(const std::string& name) { return name.substr(name.rfind('/') + 1); }

std::ptrdiff_t depth(const std::string& name) { return std::ranges::count(name, '/'); }

std::string member_name(const std::string& archive, const std::string& member) {
  return archive + ":" + member;
}

// A member of an archive: the archive is read up to it.
class MemberSource : public ByteSource {
 public:
  MemberSource(const std::string& path, std::size_t number)
      : tar_(unpacked(path, open_file(path)), path) {
    for (std::size_t i = 0; i <= number; ++i) {
      if (!tar_.next()) throw InputError({.file = path}, "the archive changed while it was read");
    }
  }
  std::size_t read(std::span<char> buffer) override { return tar_.read(buffer); }

 private:
  TarReader tar_;
};

// Lends the bytes of the current member.
class BorrowedSource : public ByteSource {
 public:
  explicit BorrowedSource(TarReader& tar) : tar_(tar) {}
  std::size_t read(std::span<char> buffer) override { return tar_.read(buffer); }

 private:
  TarReader& tar_;
};

}  // namespace

bool RunFiles::is_run(const std::string& path) {
  if (path == "-") return false;
  if (std::filesystem::is_directory(path)) return true;
  if (!std::filesystem::is_regular_file(path)) return false;  // a pipe gives its bytes but once
  Input input(path);
  return looks_like_tar(input.peek());
}

RunFiles::RunFiles(std::string path) : path_(std::move(path)) {
  archive_ = !std::filesystem::is_directory(path_);
  if (archive_) {
    look_in_archive();
  } else {
    look_in_folder();
  }
  choose();
  if (!archive_ && has_fabric() && !has_tables()) look_for_tables();
}

void RunFiles::look_in_folder() {
  for (const auto& entry : std::filesystem::directory_iterator(path_)) {
    if (!entry.is_regular_file()) continue;
    Input input(entry.path().string());
    files_.push_back({entry.path().filename().string(), part_in(input)});
    if (files_.size() > kMostFiles) throw InputError({.file = path_}, "has too many files");
  }
  std::ranges::sort(files_, {}, &File::name);
}

void RunFiles::look_for_tables() {
  std::vector<File> dumps;
  for (const auto& folder : std::filesystem::directory_iterator(path_)) {
    if (!folder.is_directory()) continue;
    const std::string start = folder.path().filename().string() + "/";
    std::size_t tables = 0;
    for (const auto& entry : std::filesystem::directory_iterator(
             folder, std::filesystem::directory_options::skip_permission_denied)) {
      if (!entry.is_regular_file()) continue;
      Input input(entry.path().string());
      const RunFile part = part_in(input);
      if (part != RunFile::kLfts && part != RunFile::kAdaptiveTables) continue;
      dumps.push_back({start + entry.path().filename().string(), part});
      if (++tables > kMostFiles) throw InputError({.file = path_}, "has too many files");
    }
    if (tables > 0) table_folders_.push_back(start.substr(0, start.size() - 1));
  }
  std::ranges::sort(table_folders_);
  if (table_folders_.size() > 1) return;
  table_folders_.clear();
  std::ranges::sort(dumps, {}, &File::name);
  files_.insert(files_.end(), dumps.begin(), dumps.end());
  choose();
}

void RunFiles::look_in_archive() {
  TarReader tar(unpacked(path_, open_file(path_)), path_);
  while (const auto member = tar.next()) {
    Input input(std::make_unique<BorrowedSource>(tar), member_name(path_, member->name));
    files_.push_back({member->name, part_in(input)});
    if (files_.size() > kMostFiles) throw InputError({.file = path_}, "has too many files");
  }
}

void RunFiles::choose() {
  for (std::size_t i = 0; i < files_.size(); ++i) {
    if (files_[i].part == RunFile::kOther) continue;
    std::optional<std::size_t>& best = found_[static_cast<std::size_t>(files_[i].part)];
    const auto rank = [&](std::size_t f) {
      return std::pair{depth(files_[f].name), files_[f].name};
    };
    if (!best || rank(i) < rank(*best)) best = i;
  }
}

Input RunFiles::open(RunFile part) const { return open(*found_[static_cast<std::size_t>(part)]); }

std::vector<std::size_t> RunFiles::all(RunFile part) const {
  std::vector<std::size_t> files;
  if (!has(part)) return files;
  const std::string& first = files_[*found_[static_cast<std::size_t>(part)]].name;
  const auto folder = [](const std::string& name) { return name.substr(0, name.rfind('/') + 1); };
  for (std::size_t i = 0; i < files_.size(); ++i) {
    if (files_[i].part == part && folder(files_[i].name) == folder(first)) files.push_back(i);
  }
  return files;
}

Input RunFiles::open(std::size_t number) const {
  const std::string& file = files_[number].name;
  if (!archive_) return Input((std::filesystem::path(path_) / file).string());
  return {std::make_unique<MemberSource>(path_, number), member_name(path_, file)};
}

std::string RunFiles::name(RunFile part) const {
  return base_name(files_[*found_[static_cast<std::size_t>(part)]].name);
}

std::vector<std::string> RunFiles::names() const {
  std::vector<std::string> all;
  for (const File& file : files_) all.push_back(base_name(file.name));
  return all;
}

Input open_part(const std::string& path, RunFile part, std::string_view what) {
  if (!RunFiles::is_run(path)) return Input(path);
  const RunFiles files(path);
  if (files.has(part)) return files.open(part);
  throw InputError({.file = path}, "none of the files of this run has " + std::string(what));
}

namespace {

// The content of one line.
class Note {
 public:
  void read(const std::string& what, const std::string& file) {
    text_ += (text_.empty() ? "" : ", ") + what + " from " + file;
    used_.push_back(file);
  }
  void kept(const std::string& what, const std::string& file) {
    kept_ += (kept_.empty() ? "; there are also: " : ", ") + what + " (" + file + ")";
    used_.push_back(file);
  }
  // Of plain tables there may be a file for each switch.
  void kept(const std::string& what, const RunFiles& files, RunFile part) {
    const std::vector<std::string> names = files.names();
    const std::vector<std::size_t> all = files.all(part);
    kept(what, files.name(part));
    if (part != RunFile::kLfts || all.size() == 1) return;
    kept_.insert(kept_.size() - 1, " and " + std::to_string(all.size() - 1) + " more");
    for (const std::size_t number : all) used_.push_back(names[number]);
  }
  void ambiguous(const std::vector<std::string>& folders) {
    kept_ += "; tables are in the folders ";
    for (const std::string& folder : folders) {
      kept_ += folder + (folder == folders.back() ? "" : ", ");
    }
    kept_ += ": give one of them after the fabric";
  }
  std::string text(const RunFiles& files) const {
    std::string text = files.path() + ": " + text_ + kept_;
    std::string skipped;
    std::size_t count = 0;
    for (const std::string& name : files.names()) {
      if (std::ranges::find(used_, name) != used_.end()) continue;
      constexpr std::size_t kShown = 6;
      if (count++ < kShown) skipped += (skipped.empty() ? "" : ", ") + name;
    }
    if (count == 0) return text;
    return text + "; skipped: " + skipped + (skipped.empty() || count <= 6 ? "" : ", ...") + " (" +
           std::to_string(count) + (count == 1 ? " file)" : " files)");
  }

 private:
  std::string text_, kept_;
  std::vector<std::string> used_;
};

LoadedFabric other_fabric(const RunFiles& files, Note& note) {
  for (const RunFile part :
       {RunFile::kIbnetdiscover, RunFile::kPortsReport, RunFile::kLst, RunFile::kNetDump}) {
    if (!files.has(part)) continue;
    Input input = files.open(part);
    note.read("fabric", files.name(part));
    return read_fabric(input);
  }
  throw InputError({.file = files.path()},
                   "none of its files has a fabric; expected db_csv with a section LINKS, "
                   "ibnetdiscover, lst or net_dump");
}

void take_pm(const RunFiles& files, LoadedFabric& loaded, Note& note) {
  if (!files.has(RunFile::kPm)) return;
  if (!loaded.run.counters.empty()) return note.kept("counters again", files.name(RunFile::kPm));
  Input input = files.open(RunFile::kPm);
  const SideData side = read_pm(input);
  loaded.run = merged(std::move(loaded.run), run_data(side, loaded.fabric));
  loaded.warnings.insert(loaded.warnings.end(), side.warnings.begin(), side.warnings.end());
  if (!loaded.run.counters.empty()) note.read("counters", files.name(RunFile::kPm));
}

// Signals and cables: these files know more than db_csv, so they come first.
void take_quality(const RunFiles& files, LoadedFabric& loaded, Note& note) {
  for (const auto& [part, read, what] :
       {std::tuple{RunFile::kSignals, &read_net_dump_ext, "signals"},
        {RunFile::kCables, &read_cables, "cables"}}) {
    if (!files.has(part)) continue;
    Input input = files.open(part);
    const SideData side = read(input);
    RunData further = run_data(side, loaded.fabric);
    // Two sources may name one error correction differently: both ends are from the same.
    const auto names = [](const SignalQuality& signal) { return !signal.fec.empty(); };
    if (std::ranges::any_of(further.signals, names)) {
      for (SignalQuality& signal : loaded.run.signals) signal.fec.clear();
    }
    loaded.run = merged(std::move(further), std::move(loaded.run));
    loaded.warnings.insert(loaded.warnings.end(), side.warnings.begin(), side.warnings.end());
    note.read(what, files.name(part));
  }
}

// Labels that another file has.
void take_labels(const RunFiles& files, LoadedFabric& loaded, Note& note) {
  if (loaded.run.labels.size() != 0) return;
  for (const RunFile part : {RunFile::kIbnetdiscover, RunFile::kNetDump}) {
    if (!files.has(part)) continue;
    Input input = files.open(part);
    const LoadedFabric other = read_fabric(input);
    if (other.run.labels.size() == 0) continue;
    SideData side;
    for (const Channel c : ids<Channel>(other.fabric.num_channels())) {
      if (other.run.label(c).empty()) continue;
      side.labels.push_back(
          {{other.fabric.guid(other.fabric.owner(c)), index(other.fabric.port(c))},
           std::string(other.run.label(c))});
    }
    loaded.run = merged(std::move(loaded.run), run_data(side, loaded.fabric));
    return note.read("labels", files.name(part));
  }
}

}  // namespace

LoadedFabric read_run(const RunFiles& files) {
  Note note;
  LoadedFabric loaded;
  if (!files.has(RunFile::kDbCsv)) {
    loaded = other_fabric(files, note);
  } else {
    Input input = files.open(RunFile::kDbCsv);
    DbCsv csv(input);
    if (csv.has_cables()) {
      loaded = csv.take_fabric();
      note.read(loaded.run.counters.empty() ? "fabric" : "fabric and counters",
                files.name(RunFile::kDbCsv));
    } else {
      loaded = other_fabric(files, note);
      loaded.run = merged(std::move(loaded.run), run_data(csv.side(), loaded.fabric));
      note.read(loaded.run.counters.empty() ? "settings" : "counters", files.name(RunFile::kDbCsv));
      for (std::string& text : csv.warnings()) loaded.warnings.push_back(std::move(text));
    }
  }
  take_labels(files, loaded, note);
  take_pm(files, loaded, note);
  take_quality(files, loaded, note);
  for (const auto& [part, what] : {std::pair{RunFile::kAdaptiveTables, "adaptive tables"},
                                   {RunFile::kLfts, "plain tables"},
                                   {RunFile::kPathLevels, "service levels"},
                                   {RunFile::kSl2vl, "lanes of levels"}}) {
    if (files.has(part)) note.kept(what, files, part);
  }
  if (!files.table_folders().empty()) note.ambiguous(files.table_folders());
  loaded.format = "run";
  loaded.note = note.text(files);
  return loaded;
}

}  // namespace fatwood
