#include "mpi_link/mpi_job.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <string_view>
#include <thread>
#include <utility>

#include "sluice/sdk/guard.hpp"

namespace sluice::mpi {
namespace {

// Blocks are sent in pieces that fit MPI's eager protocol, which saves a round trip to the receiver. The limit of Open
// MPI for TCP is 64 KiB.
constexpr std::size_t kPiece = 60 << 10;
constexpr std::chrono::seconds kAbortSendTimeout{1};

Header header_of(std::string_view name, std::size_t bytes) {
    Header header{bytes, {}};
    name.copy(header.name.data(), header.name.size() - 1);
    return header;
}

std::string text_of(const Header& header) {
    return std::string("'") + header.name.data() + "' (" + std::to_string(header.bytes) + " bytes)";
}

std::string text_of(int error) {
    std::array<char, MPI_MAX_ERROR_STRING> text{};
    int length = 0;
    MPI_Error_string(error, text.data(), &length);
    return text.data();
}

void expect(int error, const char* what) {
    if (error != MPI_SUCCESS) {
        throw sdk::Failure(SLUICE_REPLICA_LOST, std::string(what) + ": " + text_of(error));
    }
}

// Restores the signal handlers, because Open MPI replaces those of fatal signals, which belong to the host.
class KeptSignals {
public:
    KeptSignals() {
        for (std::size_t i = 1; i < before_.size(); ++i) {
            ::sigaction(static_cast<int>(i), nullptr, &before_[i]);
        }
    }
    ~KeptSignals() {
        for (std::size_t i = 1; i < before_.size(); ++i) {
            ::sigaction(static_cast<int>(i), &before_[i], nullptr);
        }
    }
    KeptSignals(const KeptSignals&) = delete;
    KeptSignals& operator=(const KeptSignals&) = delete;

private:
    std::array<struct sigaction, 32> before_{};
};

}  // namespace

void MpiJob::start() {
    // The kernel may forbid single copies between processes of one container, and Open MPI then prints a page of text.
    ::setenv("OMPI_MCA_btl_vader_single_copy_mechanism", "none", 0);
    int provided = 0;
    const KeptSignals kept;
    expect(MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided), "MPI cannot be started");
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    expect(MPI_Comm_dup(MPI_COMM_WORLD, &blocks), "MPI: no communicator for blocks");
    expect(MPI_Comm_dup(MPI_COMM_WORLD, &aborts), "MPI: no communicator for abort messages");
    MPI_Comm_rank(blocks, &rank);
    MPI_Comm_size(blocks, &count);
    void* limit = nullptr;
    int is_set = 0;
    MPI_Comm_get_attr(blocks, MPI_TAG_UB, static_cast<void*>(&limit), &is_set);
    const std::uint64_t tags = is_set != 0 ? static_cast<std::uint64_t>(*static_cast<int*>(limit)) + 1 : 32768;
    tag_numbers = tags / (2 * kLanes);
    std::array<char, MPI_MAX_PROCESSOR_NAME> own{};
    int length = 0;
    MPI_Get_processor_name(own.data(), &length);
    std::vector<std::array<char, MPI_MAX_PROCESSOR_NAME>> all(static_cast<std::size_t>(count));
    const int size = static_cast<int>(own.size());
    expect(MPI_Allgather(own.data(), size, MPI_CHAR, all.data(), size, MPI_CHAR, blocks), "MPI: exchanging host names");
    for (const auto& name : all) {
        hosts.emplace_back(name.data());
    }
    expect(MPI_Irecv(&received, sizeof(received), MPI_BYTE, MPI_ANY_SOURCE, 0, aborts, &listening),
           "MPI: listening for abort messages");
}

std::string MpiJob::name_of(std::uint32_t process) const {
    return "process " + std::to_string(process) + " on " + hosts[process];
}

void MpiJob::post(std::shared_ptr<Transfer> transfer) {
    const std::uint64_t turn = transfer->number % tag_numbers;
    const int tag = static_cast<int>(2 * (turn * kLanes + static_cast<std::uint32_t>(transfer->lane)));
    auto one = std::make_unique<InFlight>();
    const auto processes = static_cast<std::size_t>(count);
    one->own.resize(processes);
    one->received.resize(processes);
    one->awaited.resize(processes);
    const auto add = [&](std::uint32_t peer, InFlight::Part part, int error, MPI_Request request) {
        expect(error, ("MPI: a message from or to " + name_of(peer)).c_str());
        one->requests.push_back(request);
        one->messages.push_back({peer, part});
        one->awaited[peer] += part == InFlight::Part::send ? 0 : 1;
    };
    MPI_Request request = MPI_REQUEST_NULL;
    for (std::size_t step = 1; step < processes; ++step) {  // each process begins with another peer
        const auto peer = static_cast<std::uint32_t>((static_cast<std::size_t>(rank) + step) % processes);
        const int other = static_cast<int>(peer);
        int error = MPI_Irecv(&one->received[peer], sizeof(Header), MPI_BYTE, other, tag, blocks, &request);
        add(peer, InFlight::Part::header, error, request);
        const std::span<std::byte> in = transfer->in[peer];
        for (std::size_t at = 0; at < in.size(); at += kPiece) {
            const int bytes = static_cast<int>(std::min(kPiece, in.size() - at));
            error = MPI_Irecv(in.data() + at, bytes, MPI_BYTE, other, tag + 1, blocks, &request);
            add(peer, InFlight::Part::block, error, request);
        }
        const std::span<const std::byte> out = transfer->out[peer];
        one->own[peer] = header_of(transfer->name, out.size());
        error = MPI_Isend(&one->own[peer], sizeof(Header), MPI_BYTE, other, tag, blocks, &request);
        add(peer, InFlight::Part::send, error, request);
        for (std::size_t at = 0; at < out.size(); at += kPiece) {
            const int bytes = static_cast<int>(std::min(kPiece, out.size() - at));
            error = MPI_Isend(out.data() + at, bytes, MPI_BYTE, other, tag + 1, blocks, &request);
            add(peer, InFlight::Part::send, error, request);
        }
    }
    one->left = one->requests.size();
    one->transfer = std::move(transfer);
    in_flight.push_back(std::move(one));
}

void MpiJob::check(const InFlight& one, std::uint32_t peer) const {
    const Header right = header_of(one.transfer->name, one.transfer->in[peer].size());
    const Header& found = one.received[peer];
    if (found.bytes != right.bytes || found.name != right.name) {
        throw sdk::Failure(SLUICE_REPLICA_LOST, name_of(peer) + " is out of step: it started " + text_of(found) +
                                                    ", but " + name_of(static_cast<std::uint32_t>(rank)) + " started " +
                                                    text_of(right));
    }
}

// Returns how many messages have completed since the last call. Updates `awaited` and `left`.
std::size_t MpiJob::complete(InFlight& one) {
    completed.resize(one.requests.size());
    statuses.resize(one.requests.size());
    int found = 0;
    const int error = MPI_Testsome(static_cast<int>(one.requests.size()), one.requests.data(), &found, completed.data(),
                                   statuses.data());
    if (found == MPI_UNDEFINED) {
        return 0;
    }
    const auto ended = std::span(completed).first(static_cast<std::size_t>(found));
    for (const int index : ended) {  // before errors, since a block of another length is one, too
        const InFlight::Message& message = one.messages[static_cast<std::size_t>(index)];
        if (message.part == InFlight::Part::header) {
            check(one, message.peer);
        }
    }
    for (std::size_t i = 0; i < ended.size(); ++i) {
        const InFlight::Message& message = one.messages[static_cast<std::size_t>(ended[i])];
        if (error == MPI_ERR_IN_STATUS && statuses[i].MPI_ERROR != MPI_SUCCESS) {
            throw sdk::Failure(SLUICE_REPLICA_LOST, name_of(message.peer) + " cannot be reached for '" +
                                                        one.transfer->name + "': " + text_of(statuses[i].MPI_ERROR));
        }
        one.awaited[message.peer] -= message.part == InFlight::Part::send ? 0 : 1;
    }
    expect(error == MPI_ERR_IN_STATUS ? MPI_SUCCESS : error, "MPI");
    one.left -= ended.size();
    return ended.size();
}

// The abort message of another process; empty: none has arrived.
in_step::AbortReason MpiJob::peer_abort_reason() {
    int is_there = 0;
    MPI_Status status{};
    if (MPI_Test(&listening, &is_there, &status) != MPI_SUCCESS || is_there == 0) {
        return {};
    }
    return {.text = name_of(static_cast<std::uint32_t>(status.MPI_SOURCE)) + " has aborted: " + received.text.data(),
            .names_collective = received.names_collective};
}

void MpiJob::send_abort(const in_step::AbortReason& reason) {
    sent.names_collective = reason.names_collective;
    reason.text.copy(sent.text.data(), sent.text.size() - 1);
    std::vector<MPI_Request> requests;
    for (int peer = 0; peer < count; ++peer) {
        if (peer != rank) {
            MPI_Isend(&sent, sizeof(sent), MPI_BYTE, peer, 0, aborts, &requests.emplace_back());
        }
    }
    const auto until = std::chrono::steady_clock::now() + kAbortSendTimeout;
    int is_done = 0;
    while (is_done == 0 && std::chrono::steady_clock::now() < until) {
        MPI_Testall(static_cast<int>(requests.size()), requests.data(), &is_done, MPI_STATUSES_IGNORE);
        std::this_thread::sleep_for(kPause);
    }
}

void MpiJob::finish() {
    MPI_Cancel(&listening);
    MPI_Wait(&listening, MPI_STATUS_IGNORE);
    MPI_Comm_free(&aborts);
    MPI_Comm_free(&blocks);
    MPI_Finalize();
}

}  // namespace sluice::mpi
