// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The routes of each switch in a folder, with sub-folders, an archive, or one file of many devices
// (route_records.hpp). read_routes.hpp says which file belongs to which switch. Archives in folders
// and archives are opened, too (`show techsupport`).

#include <cstdint>
#include <functional>
#include <string>

#include "io/base/input.hpp"
#include "io/base/warnings.hpp"
#include "io/routes/route_names.hpp"
#include "io/routes/switch_routes.hpp"

namespace fatwood {

class RouteFiles {
 public:
  // Called once for each switch with a file, in parallel for a folder.
  using Done = std::function<void(Switch s, SwitchRoutes& routes)>;

  RouteFiles(const std::string& path, const Fabric& fabric, int threads)
      : path_(path),
        fabric_(fabric),
        names_(fabric),
        threads_(threads),
        read_(fabric.num_switches()),
        known_(fabric.num_switches()),
        warnings_of_(fabric.num_switches(), Warnings(path)) {}

  // InputError if no file has routes of a switch of the fabric.
  void each(const Done& done);
  // What was left out, for the user.
  void report(Warnings& warnings) const;

 private:
  void read_folder(const Done& done);
  void read_archive();
  void read_file(Switch s, Input& input);
  void read_unnamed(const std::string& name, Input& input);
  template <class Read>
  void guarded(const std::string& name, const Read& read);

  const std::string& path_;
  const Fabric& fabric_;
  SwitchNames names_;
  int threads_;
  Table<Switch, SwitchRoutes> read_;
  Table<Switch, std::uint8_t> known_;
  Table<Switch, Warnings> warnings_of_;
  std::size_t strangers_ = 0;
  std::string first_stranger_, unreadable_;
};

}  // namespace fatwood
