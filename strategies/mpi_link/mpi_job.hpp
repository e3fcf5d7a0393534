// The MPI calls of a link's thread; no other thread makes any. Private to this folder.
#pragma once

#include <mpi.h>

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "in_step/in_step.hpp"
#include "mpi_link/transfer.hpp"

namespace sluice::mpi {

constexpr std::size_t kLongestText = 1024;
constexpr std::chrono::microseconds kPause{50};  // shortest pause between polls

// It is sent before each block.
struct Header {
    std::uint64_t bytes;
    std::array<char, 120> name;
};

// A process that aborts sends it to the others.
struct AbortMessage {
    bool names_collective = false;          // AbortReason::names_collective
    std::array<char, kLongestText> text{};  // with a NUL at its end
};

// A transfer in flight.
struct InFlight {
    enum class Part { send, header, block };
    struct Message {
        std::uint32_t peer;
        Part part;
    };

    std::shared_ptr<Transfer> transfer;
    std::vector<MPI_Request> requests;
    std::vector<Message> messages;     // by request
    std::vector<Header> own;           // headers that are sent, by process
    std::vector<Header> received;      // headers that are received, by process
    std::vector<std::size_t> awaited;  // messages still to be received, by process
    std::size_t left = 0;              // messages not completed, received and sent
};

struct MpiJob {
    MPI_Comm blocks = MPI_COMM_NULL;
    MPI_Comm aborts = MPI_COMM_NULL;  // for abort messages
    MPI_Request listening = MPI_REQUEST_NULL;
    AbortMessage received;
    AbortMessage sent;              // MPI may still read it after send_abort()
    std::uint64_t tag_numbers = 1;  // number of transfers that tags distinguish
    std::vector<std::unique_ptr<InFlight>> in_flight;
    std::vector<int> completed;
    std::vector<MPI_Status> statuses;
    std::vector<std::string> hosts;
    int rank = 0;
    int count = 1;

    void start();
    void post(std::shared_ptr<Transfer> transfer);
    [[nodiscard]] std::string name_of(std::uint32_t process) const;
    void check(const InFlight& one, std::uint32_t peer) const;
    std::size_t complete(InFlight& one);
    [[nodiscard]] in_step::AbortReason peer_abort_reason();
    void send_abort(const in_step::AbortReason& reason);
    void finish();
};

}  // namespace sluice::mpi
