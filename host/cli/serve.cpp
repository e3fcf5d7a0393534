// `serve` shows a folder of runs in a browser, with live updates.
#include "serve/web_server.hpp"

#include <fmt/format.h>
#include <openssl/rand.h>
#include <sys/resource.h>

#include <array>
#include <cstdint>
#include <filesystem>
#include <iostream>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/files.hpp"
#include "base/host_name.hpp"
#include "base/signals/stop_handler.hpp"
#include "base/signals/stop_signals.hpp"
#include "base/text/hexadecimal.hpp"
#include "cli/terminal/command.hpp"
#include "cli/terminal/options.hpp"
#include "history/run_summary.hpp"
#include "serve/access.hpp"
#include "serve/site.hpp"

namespace sluice::cli {
namespace {

std::string new_token() {
    std::array<unsigned char, 16> bytes{};
    if (RAND_bytes(bytes.data(), static_cast<int>(bytes.size())) != 1) {
        throw Error(Exit::config, "serve: the machine has no random numbers for a token; give one by --token-file");
    }
    return hexadecimal(bytes);
}

std::string token_in(const std::string& file) {
    std::string token = read_file(file);
    token.erase(token.find_last_not_of(" \t\r\n") + 1);
    constexpr std::size_t kShortest = 16;
    if (token.size() < kShortest ||
        token.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "-._~") != std::string::npos) {
        throw Error(Exit::config, fmt::format("{}: a token has {} or more letters, digits or -._~, and nothing else",
                                              file, kShortest));
    }
    return token;
}

}  // namespace

int serve(const Arguments& arguments) {
    namespace po = boost::program_options;
    std::string folder;
    std::string address;
    std::string token_file;
    std::vector<std::string> names;
    std::uint16_t port = 0;
    po::options_description options("Options");
    options.add_options()("help,h", "show this help");
    options.add_options()("folder", po::value(&folder)->default_value("runs")->value_name("FOLDER"),
                          "the folder of runs, or one run");
    options.add_options()("port", po::value(&port)->default_value(6070)->value_name("N"), "0 takes a free port");
    options.add_options()("address", po::value(&address)->default_value("127.0.0.1")->value_name("IP"),
                          "where to listen; other machines reach 0.0.0.0 and need the token that is printed");
    options.add_options()("host-name", po::value(&names)->value_name("NAME"),
                          "a name by which browsers may address this machine (repeatable)");
    options.add_options()("token-file", po::value(&token_file)->value_name("FILE"),
                          "take the token from this file, and need it also on this machine");
    po::variables_map values;
    if (!parse(arguments, "serve", options, values, "folder")) {
        return 0;
    }
    history::find_runs(folder);  // refuses what is no folder before anything is served
    serve::Site site(folder);
    names.push_back(host_name());
    std::string token = token_file.empty() ? "" : token_in(token_file);
    std::optional<serve::Access> access;
    serve::WebServer server(address, port, [&](const serve::Request& request) {
        std::optional<serve::Response> refusal = access->refusal(request);
        return refusal ? std::move(*refusal) : site.respond(request);
    });
    if (!server.is_loopback() && token.empty()) {
        token = new_token();
    }
    access.emplace(std::move(names), token);
    constexpr int kPolite = 10;  // trainings on this machine go first
    ::setpriority(PRIO_PROCESS, 0, kPolite);
    catch_stop_signals("stopping");
    const std::string host = server.is_loopback() ? address : host_name();
    const bool is_v6 = host.find(':') != std::string::npos;
    std::cout << fmt::format("http://{}:{}/{}\n", is_v6 ? "[" + host + "]" : host, server.port(),
                             token.empty() ? "" : "?token=" + token)
              << std::flush;
    if (!server.is_loopback()) {
        std::cerr << "The connection is not encrypted. `ssh -L` reaches a server that listens on 127.0.0.1 safely.\n";
    }
    server.serve([] { return stop_signal() != 0; });
    return 0;
}

}  // namespace sluice::cli
