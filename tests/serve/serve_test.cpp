// SPDX-License-Identifier: BSD-3-Clause
// The parts of the server that need no socket: who may ask, events, history, metrics, the words of
// tasks.

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <thread>

#include "core/error.hpp"
#include "serve/api/api.hpp"
#include "serve/api/metrics.hpp"
#include "serve/api/task_words.hpp"
#include "serve/http/guard.hpp"
#include "serve/state/history.hpp"
#include "serve/state/live_counters.hpp"
#include "support/temp_folder.hpp"

namespace fatwood::serve {
namespace {

constexpr const char* kToken = "0123456789abcdef";

HttpRequest request(std::map<std::string, std::string> header = {}) {
  header.try_emplace("host", "localhost:8800");
  return {.method = "POST", .path = "/", .query = {}, .header = std::move(header), .body = ""};
}

int status(const Guard& guard, const HttpRequest& asked, Access access) {
  const auto refused = guard.check(asked, access);
  return refused ? refused->status : 200;
}

TEST(Guard, OnLoopbackReadingIsFreeAndChangesNeedTheToken) {
  const Guard guard(kToken, "127.0.0.1");
  EXPECT_EQ(status(guard, request(), Access::kRead), 200);
  EXPECT_EQ(status(guard, request(), Access::kChange), 401);
  EXPECT_EQ(status(guard, request({{"authorization", "Bearer 0123456789abcdef"}}), Access::kChange),
            200);
  EXPECT_EQ(status(guard, request({{"authorization", "Bearer 0123456789abcdee"}}), Access::kChange),
            401);
  EXPECT_EQ(status(guard, request({{"authorization", "Bearer 0123456789abcde"}}), Access::kChange),
            401);
  EXPECT_EQ(
      status(guard, request({{"authorization", "Bearer 0123456789abcdef0"}}), Access::kChange),
      401);
  EXPECT_EQ(
      status(guard, request({{"cookie", "a=b; fatwood_token=0123456789abcdef"}}), Access::kChange),
      200);
  EXPECT_EQ(
      status(guard, request({{"cookie", "xfatwood_token=0123456789abcdef"}}), Access::kChange),
      401);
}

TEST(Guard, ElsewhereEverythingButHealthNeedsTheToken) {
  const Guard guard(kToken, "192.168.0.1");
  EXPECT_EQ(status(guard, request(), Access::kOpen), 200);
  EXPECT_EQ(status(guard, request(), Access::kRead), 401);
  EXPECT_EQ(status(guard, request({{"authorization", "Bearer 0123456789abcdef"}}), Access::kRead),
            200);
}

TEST(Guard, RefusesOtherOriginsAndOtherNames) {
  const Guard guard(kToken, "127.0.0.1");
  const std::string bearer = "Bearer 0123456789abcdef";
  EXPECT_EQ(status(guard, request({{"authorization", bearer}, {"origin", "http://evil.example"}}),
                   Access::kChange),
            403);
  EXPECT_EQ(status(guard, request({{"authorization", bearer}, {"origin", "http://localhost:8800"}}),
                   Access::kChange),
            200);
  EXPECT_EQ(status(guard, request({{"authorization", bearer}, {"sec-fetch-site", "cross-site"}}),
                   Access::kChange),
            403);
  EXPECT_EQ(status(guard, request({{"host", "evil.example:8800"}}), Access::kRead), 403);
  EXPECT_EQ(status(guard, request({{"host", "[::1]:8800"}}), Access::kRead), 200);
}

// A page whose name is made to lead to 127.0.0.1 sends its own name as Host.
TEST(Guard, HostIsComparedAsAWholeName) {
  const Guard guard(kToken, "127.0.0.1");
  for (const char* const host : {"localhost", "localhost:8800", "LocalHost:1", "127.0.0.1",
                                 "127.1.2.3:8800", "[::1]", "[::1]:80", "[0:0:0:0:0:0:0:1]"}) {
    EXPECT_EQ(status(guard, request({{"host", host}}), Access::kRead), 200) << host;
  }
  for (const char* const host : {"127.evil.example",
                                 "127.0.0.1.evil.example",
                                 "127.0.0.1.evil.example:8800",
                                 "[::1].evil.example",
                                 "[::1]evil",
                                 "[::1",
                                 "localhost:80@evil",
                                 "localhost.evil.example",
                                 "localhost:80.evil",
                                 "evil:localhost",
                                 "",
                                 ":8800",
                                 "::1",
                                 "127.",
                                 "127.0.0",
                                 "128.0.0.1",
                                 "1270.0.0.1",
                                 "[::2]",
                                 "0.0.0.0",
                                 "evil.example/localhost",
                                 "localhost evil"}) {
    EXPECT_EQ(status(guard, request({{"host", host}}), Access::kRead), 403) << host;
  }
}

TEST(Target, OriginAndAbsoluteForm) {
  HttpRequest asked = request();
  ASSERT_TRUE(set_target(asked, "/a%5Bb%5d?x=1+2&y=%2B&x=3&z"));
  EXPECT_EQ(asked.path, "/a[b]");
  EXPECT_EQ(asked.query, (std::map<std::string, std::string>{{"x", "3"}, {"y", "+"}, {"z", ""}}));
  EXPECT_EQ(asked.header.at("host"), "localhost:8800");
  ASSERT_TRUE(set_target(asked, "http://evil.example:80/healthz"));
  EXPECT_EQ(asked.path, "/healthz");
  EXPECT_EQ(asked.header.at("host"), "evil.example:80");
  ASSERT_TRUE(set_target(asked, "http://localhost?a=b"));
  EXPECT_EQ(asked.path, "/");
  for (const char* const bad :
       {"", "*", "localhost:80", "ftp://a/b", "/%", "/%4", "/%zz", "/a%00", "/?a=%0", "/?%1g=b"}) {
    EXPECT_FALSE(set_target(asked, bad)) << bad;
  }
}

TEST(Guard, TokensOfFiles) {
  const test::TempFolder folder;
  const std::string path = folder / "token";
  std::ofstream(path) << "0123456789abcdef\r\nmore\n";
  chmod(path.c_str(), 0600);
  EXPECT_EQ(read_token(path), kToken);
  chmod(path.c_str(), 0644);
  EXPECT_THROW(read_token(path), InputError);
  chmod(path.c_str(), 0600);
  std::ofstream(path) << "short\n";
  EXPECT_THROW(read_token(path), InputError);
  EXPECT_THROW(read_token(folder / "absent"), InputError);
  EXPECT_EQ(new_token().size(), 32U);
  EXPECT_NE(new_token(), new_token());
}

TEST(Events, EveryClientGetsEveryEventInOrder) {
  Events events;
  auto first = events.join(std::nullopt);
  auto second = events.join(std::nullopt);
  ASSERT_TRUE(first && second);
  EXPECT_EQ(events.clients(), 2U);
  for (auto* client : {&*first, &*second}) EXPECT_EQ(*(*client)(), "retry: 2000\n\n");
  events.send("a", "1");
  events.send("b", "2");
  for (auto* client : {&*first, &*second}) {
    EXPECT_EQ(*(*client)(), "id: 1\nevent: a\ndata: 1\n\n");
    EXPECT_EQ(*(*client)(), "id: 2\nevent: b\ndata: 2\n\n");
    EXPECT_EQ(*(*client)(), "");  // nothing new
  }
  first.reset();
  EXPECT_EQ(events.clients(), 1U);
  events.close();
  EXPECT_FALSE((*second)());
}

TEST(Events, TheServerIsToldOfEveryEvent) {
  Events events;
  int told = 0;
  events.on_more([&] { ++told; });
  events.send("a", "1");
  events.send("b", "2");
  EXPECT_EQ(told, 2);
  events.close();
  EXPECT_EQ(told, 3);
}

TEST(Events, AClientGoesOnAfterTheLastOneItSaw) {
  Events events;
  for (int i = 0; i < 3; ++i) events.send("n", std::to_string(i));
  auto late = events.join(1);
  (void)(*late)();
  EXPECT_EQ(*(*late)(), "id: 2\nevent: n\ndata: 1\n\n");
  for (std::size_t i = 0; i < Events::kKept; ++i) events.send("n", "x");
  EXPECT_EQ((*late)()->find("event: reload"), std::string("id: 259\n").size());
}

TEST(Events, ClientsAreLimited) {
  Events events;
  std::vector<std::function<std::optional<std::string>()>> clients;
  for (std::size_t i = 0; i < Events::kMostClients; ++i) clients.push_back(*events.join({}));
  EXPECT_FALSE(events.join({}));
  clients.pop_back();
  EXPECT_TRUE(events.join({}));
}

TEST(History, KeepsTheNewestAndDropsTheOldest) {
  const test::TempFolder folder;
  const std::string path = folder / "kept";
  constexpr std::uint64_t kDay = 86'400'000;
  {
    History history({.folder = path, .most = 3, .days = 10});
    history.prepare();
    for (std::uint64_t day = 1; day <= 5; ++day) {
      history.keep(day * kDay, "{\"day\":" + std::to_string(day) + "}", "fabric");
    }
    const auto list = history.list();
    ASSERT_EQ(list.size(), 3U);
    EXPECT_EQ(list[0].facts, "{\"day\":3}");
    EXPECT_EQ(list[2].id, 5 * kDay);
    history.keep(5 * kDay, "same time", "fabric");  // no two of one name
    EXPECT_EQ(history.list().back().id, 5 * kDay + 1);
    history.keep(100 * kDay, "{}", "fabric");
    EXPECT_EQ(history.list().size(), 1U);
  }
  const History again({.folder = path});
  ASSERT_EQ(again.list().size(), 1U);
  EXPECT_TRUE(std::filesystem::exists(again.fabric_file(100 * kDay)));
  std::ofstream(path + "/letter.txt") << "hello";
  EXPECT_THROW(again.prepare(), InputError);
  std::filesystem::remove_all(path);
  EXPECT_THROW(History({.folder = path}).keep(1, "{}", "fabric"), InputError);
  EXPECT_THROW((void)again.list(), InputError);
}

TEST(TaskWords, NoParameterNamesAFile) {
  for (const TaskVerb& verb : task_verbs()) {
    for (const TaskParameter& parameter : verb.parameters) {
      for (const char* const bad :
           {"/etc/passwd", "@list", "../x", "file:x/y", "-o", "--svg", "a;b/c"}) {
        std::map<std::string, std::string> query{{parameter.name, bad}};
        EXPECT_THROW(task_options(verb, query), InputError) << verb.name << ' ' << parameter.name;
      }
    }
  }
}

TEST(TaskWords, BecomeACommand) {
  const TaskVerb* job = find_task_verb("job");
  ASSERT_NE(job, nullptr);
  EXPECT_EQ(
      task_options(*job,
                   {{"hosts", "n[1-4]"}, {"collective", "allreduce:ring"}, {"message_size", "1G"}}),
      (std::vector<std::string>{"--hosts", "n[1-4]", "--collective", "allreduce:ring",
                                "--message-size", "1G"}));
  EXPECT_EQ(task_options(*job, {{"weight", "255"}, {"no_pxn", "1"}}),
            (std::vector<std::string>{"--weight", "255", "--no-pxn"}));
  EXPECT_THROW(task_options(*job, {{"weight", "256"}}), InputError);
  EXPECT_THROW(task_options(*job, {{"trace", "x"}}), InputError);
  EXPECT_THROW(task_options(*find_task_verb("load"), {{"top", "3"}}), InputError);
  EXPECT_THROW(task_options(*job, {{"output", "x"}}), InputError);
  EXPECT_EQ(find_task_verb("route"), nullptr);
}

TEST(Metrics, NamesAndValues) {
  Facts facts;
  facts.hosts = 16;
  facts.rates = FactRates{.worst = 80};
  facts.deadlock_free = false;
  facts.hottest = {{"a\"b[1]", "c\\d[2]", 14}};
  const std::string text = metrics_text({.facts = facts, .age_seconds = 2.5}, 0, {});
  for (const char* const line :
       {"\nfatwood_hosts 16\n", "\nfatwood_deadlock_free 0\n", "\nfatwood_data_age_seconds 2.5\n",
        "\nfatwood_pair_rate_bytes_per_second{pairs=\"worst\"} 10000000000\n",
        "\nfatwood_link_load_flows{from=\"a\\\"b[1]\",to=\"c\\\\d[2]\"} 14\n"}) {
    EXPECT_NE(text.find(line), std::string::npos) << line << text;
  }
  EXPECT_NE(metrics_text({}, 0, {}).find("\nfatwood_up 0\n"), std::string::npos);
  EXPECT_NE(metrics_text({}, 0, {}).find("\nfatwood_history_error 0\n"), std::string::npos);
  EXPECT_NE(metrics_text({.history_error = "gone"}, 0, {}).find("\nfatwood_history_error 1\n"),
            std::string::npos);
}

TEST(OpenApi, ListsEveryVerb) {
  const std::string text = Api::openapi();
  for (const TaskVerb& verb : task_verbs()) {
    EXPECT_NE(text.find("\"/api/v1/verbs/" + std::string(verb.name) + "\""), std::string::npos);
  }
  EXPECT_NE(text.find("\"/metrics\""), std::string::npos);
}

TEST(LiveCounters, BlocksOfPortsWhateverStandsBetween) {
  EXPECT_EQ(counters_file("Data Counters for 0x1 \"a\"\n   GUID 0x2f port 3: [PortXmitData == 16 "
                          "(64.000B)] [PortXmitWait == x] [no word == 1] [PortRcvData == 7]\n"),
            "----\nPort=3 GUID=0x2f\n----\nPortXmitData=0x10\nPortRcvData=0x7\n");
  for (const char* text : {"", "## Summary", "GUID 0x", "GUID 0x1 port : [a == 1]",
                           "GUID 0xg port 1: [a == 1]", "GUID 0x1 port 256: [a == 1]"}) {
    EXPECT_EQ(counters_file(text), "") << text;
  }
  EXPECT_EQ(counters_file("GUID 0x1 port 1: [[[ == ]"), "----\nPort=1 GUID=0x1\n----\n");
}

}  // namespace
}  // namespace fatwood::serve
