// What the thread of a link does with MPI, which nobody else touches. Private to this folder.
#pragma once

#include <mpi.h>

#include <array>
#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "mpi_link/link.hpp"

namespace sluice::mpi {

constexpr std::size_t kLongestText = 1024;
constexpr std::chrono::microseconds kPause{50};  // between looks whether anything moved, at least

// What comes in front of a block.
struct Header {
    std::uint64_t bytes;
    std::array<char, 120> name;
};

struct Link::Underway {
    enum class Part { send, header, block };
    struct Message {
        std::uint32_t peer;
        Part part;
    };

    std::shared_ptr<Trade> trade;
    std::vector<MPI_Request> requests;
    std::vector<Message> messages;  // of the requests
    std::vector<Header> own;        // by process, as what follows
    std::vector<Header> heard;
    std::vector<std::size_t> awaited;  // messages
    std::size_t left = 0;              // messages, also those to the others
};

struct Link::Mpi {
    MPI_Comm blocks = MPI_COMM_NULL;
    MPI_Comm words = MPI_COMM_NULL;  // by which processes tell why they give up
    MPI_Request listening = MPI_REQUEST_NULL;
    std::array<char, kLongestText> heard{};
    std::uint64_t tag_numbers = 1;  // of trades that can be told apart
    std::vector<std::unique_ptr<Underway>> underway;
    std::vector<int> completed;
    std::vector<MPI_Status> statuses;
    std::vector<std::string> hosts;
    int number = 0;
    int count = 1;

    void start();
    void post(std::shared_ptr<Trade> trade);
    [[nodiscard]] std::string name_of(std::uint32_t process) const;
    void check(const Underway& one, std::uint32_t peer) const;
    std::size_t complete(Underway& one);
    [[nodiscard]] std::string last_words();
    void tell(const std::string& reason);
    void finish();
};

}  // namespace sluice::mpi
