// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Adds to a text what real files have: noise of terminals and tools, other line ends, a byte order
// mark, blank lines, hexadecimal LIDs, parts that come twice, a missing end. Seeded.

#include <regex>
#include <string>
#include <vector>

#include "core/random.hpp"

namespace fatwood::test {

enum class Mangle : std::uint8_t {
  kLog,        // of a discovery, in front
  kPrompts,    // in front, between and behind
  kMessages,   // of tools, in front, between and behind
  kCarriage,   // "\r\n"
  kControls,   // colours and a pager's traces
  kBlank,      // empty lines
  kMark,       // a byte order mark
  kHexLids,    // "lid 0x1a" as old tools print it
  kTwice,      // the whole text again
  kTwiceLine,  // one line again
  kCut,        // the end is missing
};
inline constexpr std::size_t kMangles = 11;

// Kinds after which a reader has something to say.
inline bool is_noise(Mangle kind) {
  return kind == Mangle::kLog || kind == Mangle::kPrompts || kind == Mangle::kMessages ||
         kind == Mangle::kControls;
}

inline std::vector<std::string> split_lines(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size() - 1);
    lines.push_back(text.substr(at, end + 1 - at));
    at = end + 1;
  }
  return lines;
}

inline std::string join_lines(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line;
  return text;
}

class Mangler {
 public:
  explicit Mangler(std::uint64_t seed) : random_(seed) {}

  std::string operator()(const std::string& text, Mangle kind) {
    std::vector<std::string> lines = split_lines(text);
    switch (kind) {
      case Mangle::kLog: {
        // Now and then longer than what a reader looks at first.
        const std::size_t count = random_.below(4) == 0 ? 2000 : 1 + random_.below(9);
        std::string log;
        for (std::size_t i = 0; i < count; ++i) {
          log += "DR path slid 0; dlid 0; 0,1," + std::to_string(i) + " -> " +
                 (i % 3 == 0 ? "known" : "new") + " Switch {000b8cffff004939} portnum 0 lid 0-0 " +
                 "\"\"\n";
        }
        return log + text;
      }
      case Mangle::kPrompts:
        return sprinkle(lines, {"[root@node1 ~]# ibnetdiscover > net.txt\n", "root@sm:~$ \n",
                                "node7:~ # exit\n", "bash-4.2$ ibroute 5\n", "$ cat tables\n",
                                "Script started on 2024-05-01 10:00:00+02:00\n",
                                "=~=~=~=~= PuTTY log 2024.05.01 10:00:00 =~=~=~=~=\n"});
      case Mangle::kMessages:
        return sprinkle(
            lines,
            {"ibwarn: [4711] mad_rpc: _do_madrpc failed; dport (Lid 14)\n",
             "ibroute: iberror: failed: dump tables: linear forwarding table get failed\n",
             "/usr/sbin/ibnetdiscover: iberror: [pid 12] main: failed: discover failed\n",
             "src/query_smp.c:197; umad (DR path slid 0; dlid 0; 0,1 Attr 0x11:0) bad status 110\n",
             "-bash: ibroute: command not found\n"});
      case Mangle::kCarriage:
        for (std::string& line : lines) {
          if (line.ends_with('\n')) line.insert(line.size() - 1, "\r");
        }
        return join_lines(lines);
      case Mangle::kControls:
        for (int i = 0; i < 3; ++i) {
          std::string& line = lines[below(lines.size())];
          line = i == 0   ? "\x1b[1;32m" + line
                 : i == 1 ? "--More--\r        \r" + line
                          : "\x1b]0;node1\a" + line;
        }
        return join_lines(lines);
      case Mangle::kBlank:
        return sprinkle(lines, {"\n", " \n", "\t\n"});
      case Mangle::kMark:
        return "\xef\xbb\xbf" + text;
      case Mangle::kHexLids:
        return hex_lids(text);
      case Mangle::kTwice:
        return text + (text.ends_with('\n') ? "" : "\n") + text;
      case Mangle::kTwiceLine: {
        const std::size_t at = below(lines.size());
        lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(at), lines[at]);
        return join_lines(lines);
      }
      case Mangle::kCut:
        return text.substr(0, below(text.size()));
    }
    return text;
  }

 private:
  std::size_t below(std::size_t bound) { return random_.below(static_cast<std::uint32_t>(bound)); }

  // One in front, one behind, or one in between.
  std::string sprinkle(std::vector<std::string> lines, const std::vector<std::string>& noise) {
    const auto any = [&] { return noise[below(noise.size())]; };
    const std::uint32_t where = random_.below(4);
    if (where == 0 || where == 3) lines.insert(lines.begin(), any());
    if (where == 1 || where == 3) {
      if (!lines.back().ends_with('\n')) lines.back() += '\n';
      lines.push_back(any());
    }
    if (where == 2) {
      lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(below(lines.size())), any());
    }
    return join_lines(lines);
  }

  static std::string hex_lids(const std::string& text) {
    const std::regex lid(R"(\blid ([0-9]+)\b)");
    std::string result;
    auto from = text.begin();
    for (std::sregex_iterator at(text.begin(), text.end(), lid), end; at != end; ++at) {
      result.append(from, text.begin() + at->position(1));
      char hex[16];
      std::snprintf(hex, sizeof hex, "0x%lx", std::stoul((*at)[1].str()));
      result += hex;
      from = text.begin() + at->position(1) + at->length(1);
    }
    return result.append(from, text.end());
  }

  Random random_;
};

}  // namespace fatwood::test
