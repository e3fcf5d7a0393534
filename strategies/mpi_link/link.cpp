#include "mpi_link/link.hpp"

#include <mpi.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "sluice/sdk/guard.hpp"

namespace sluice::mpi {
namespace {

constexpr std::size_t kLargestMessage = std::size_t{1} << 30;  // MPI counts with int
constexpr std::size_t kLongestText = 1024;
constexpr std::chrono::seconds kFarewell{60};  // one of the others may be writing its last checkpoint
constexpr std::chrono::seconds kLastWords{1};
constexpr std::chrono::milliseconds kIdle{20};  // between looks whether another has given up
constexpr std::chrono::microseconds kPause{50};
constexpr int kTriesBeforePause = 50;

// What comes in front of a block.
struct Header {
    std::uint64_t bytes;
    std::array<char, 120> name;
};

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

bool was_started = false;  // MPI, in this process

}  // namespace

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

void Link::Mpi::start() {
    // Between processes of one container the kernel may forbid it, and Open MPI then writes a page of text.
    ::setenv("OMPI_MCA_btl_vader_single_copy_mechanism", "none", 0);
    int provided = 0;
    expect(MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided), "MPI cannot be started");
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    expect(MPI_Comm_dup(MPI_COMM_WORLD, &blocks), "MPI: no channel for blocks");
    expect(MPI_Comm_dup(MPI_COMM_WORLD, &words), "MPI: no channel for words");
    MPI_Comm_rank(blocks, &number);
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
    expect(MPI_Allgather(own.data(), size, MPI_CHAR, all.data(), size, MPI_CHAR, blocks), "MPI: names of hosts");
    for (const auto& name : all) {
        hosts.emplace_back(name.data());
    }
    expect(MPI_Irecv(heard.data(), static_cast<int>(heard.size()) - 1, MPI_CHAR, MPI_ANY_SOURCE, 0, words, &listening),
           "MPI: listening");
}

std::string Link::Mpi::name_of(std::uint32_t process) const {
    return "process " + std::to_string(process) + " on " + hosts[process];
}

void Link::Mpi::post(std::shared_ptr<Trade> trade) {
    const std::uint64_t turn = trade->number % tag_numbers;
    const int tag = static_cast<int>(2 * (turn * kLanes + static_cast<std::uint32_t>(trade->lane)));
    auto one = std::make_unique<Underway>();
    const auto processes = static_cast<std::size_t>(count);
    one->own.resize(processes);
    one->heard.resize(processes);
    one->awaited.resize(processes);
    const auto add = [&](std::uint32_t peer, Underway::Part part, int error, MPI_Request request) {
        expect(error, ("MPI: a message of " + name_of(peer)).c_str());
        one->requests.push_back(request);
        one->messages.push_back({peer, part});
        one->awaited[peer] += part == Underway::Part::send ? 0 : 1;
    };
    MPI_Request request = MPI_REQUEST_NULL;
    for (std::size_t step = 1; step < processes; ++step) {  // not all of them to the same one at first
        const auto peer = static_cast<std::uint32_t>((static_cast<std::size_t>(number) + step) % processes);
        const int other = static_cast<int>(peer);
        int error = MPI_Irecv(&one->heard[peer], sizeof(Header), MPI_BYTE, other, tag, blocks, &request);
        add(peer, Underway::Part::header, error, request);
        const std::span<std::byte> in = trade->in[peer];
        for (std::size_t at = 0; at < in.size(); at += kLargestMessage) {
            const int bytes = static_cast<int>(std::min(kLargestMessage, in.size() - at));
            error = MPI_Irecv(in.data() + at, bytes, MPI_BYTE, other, tag + 1, blocks, &request);
            add(peer, Underway::Part::block, error, request);
        }
        const std::span<const std::byte> out = trade->out[peer];
        one->own[peer] = header_of(trade->name, out.size());
        error = MPI_Isend(&one->own[peer], sizeof(Header), MPI_BYTE, other, tag, blocks, &request);
        add(peer, Underway::Part::send, error, request);
        for (std::size_t at = 0; at < out.size(); at += kLargestMessage) {
            const int bytes = static_cast<int>(std::min(kLargestMessage, out.size() - at));
            error = MPI_Isend(out.data() + at, bytes, MPI_BYTE, other, tag + 1, blocks, &request);
            add(peer, Underway::Part::send, error, request);
        }
    }
    one->left = one->requests.size();
    one->trade = std::move(trade);
    underway.push_back(std::move(one));
}

void Link::Mpi::check(const Underway& one, std::uint32_t peer) const {
    const Header right = header_of(one.trade->name, one.trade->in[peer].size());
    const Header& found = one.heard[peer];
    if (found.bytes != right.bytes || found.name != right.name) {
        throw sdk::Failure(SLUICE_REPLICA_LOST, name_of(peer) + " is out of step: it comes with " + text_of(found) +
                                                    ", and " + name_of(static_cast<std::uint32_t>(number)) + " with " +
                                                    text_of(right));
    }
}

// Messages that have come or gone since; `awaited` counts them already.
std::size_t Link::Mpi::complete(Underway& one) {
    completed.resize(one.requests.size());
    statuses.resize(one.requests.size());
    int found = 0;
    const int error = MPI_Testsome(static_cast<int>(one.requests.size()), one.requests.data(), &found, completed.data(),
                                   statuses.data());
    if (found == MPI_UNDEFINED) {
        return 0;
    }
    const auto ended = std::span(completed).first(static_cast<std::size_t>(found));
    for (const int index : ended) {  // before errors: a block of another length is one, too
        const Underway::Message& message = one.messages[static_cast<std::size_t>(index)];
        if (message.part == Underway::Part::header) {
            check(one, message.peer);
        }
    }
    for (std::size_t i = 0; i < ended.size(); ++i) {
        const Underway::Message& message = one.messages[static_cast<std::size_t>(ended[i])];
        if (error == MPI_ERR_IN_STATUS && statuses[i].MPI_ERROR != MPI_SUCCESS) {
            throw sdk::Failure(SLUICE_REPLICA_LOST, name_of(message.peer) + " cannot be reached for '" +
                                                        one.trade->name + "': " + text_of(statuses[i].MPI_ERROR));
        }
        one.awaited[message.peer] -= message.part == Underway::Part::send ? 0 : 1;
    }
    expect(error == MPI_ERR_IN_STATUS ? MPI_SUCCESS : error, "MPI");
    one.left -= ended.size();
    return ended.size();
}

// Of a process that gives up; empty while none does.
std::string Link::Mpi::last_words() {
    int is_there = 0;
    MPI_Status status{};
    if (MPI_Test(&listening, &is_there, &status) != MPI_SUCCESS || is_there == 0) {
        return {};
    }
    return name_of(static_cast<std::uint32_t>(status.MPI_SOURCE)) + " has given up: " + heard.data();
}

void Link::Mpi::tell(const std::string& reason) {
    const int length = static_cast<int>(std::min(reason.size(), kLongestText - 1));
    std::vector<MPI_Request> sent;
    for (int peer = 0; peer < count; ++peer) {
        if (peer != number) {
            MPI_Isend(reason.data(), length, MPI_CHAR, peer, 0, words, &sent.emplace_back());
        }
    }
    const auto until = std::chrono::steady_clock::now() + kLastWords;
    int is_done = 0;
    while (is_done == 0 && std::chrono::steady_clock::now() < until) {
        MPI_Testall(static_cast<int>(sent.size()), sent.data(), &is_done, MPI_STATUSES_IGNORE);
        std::this_thread::sleep_for(kPause);
    }
}

void Link::Mpi::finish() {
    MPI_Cancel(&listening);
    MPI_Wait(&listening, MPI_STATUS_IGNORE);
    MPI_Comm_free(&words);
    MPI_Comm_free(&blocks);
    MPI_Finalize();
}

Link::Link(Broken broken) : broken_(std::move(broken)), mpi_(std::make_unique<Mpi>()) {
    if (std::exchange(was_started, true)) {
        throw sdk::Failure(SLUICE_FAILED, "a process can take part in one job of MPI only, and this one has");
    }
    thread_ = std::thread([this] { serve(); });
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return is_started_ || !failure_.empty(); });
    if (!failure_.empty()) {
        lock.unlock();
        thread_.join();
        throw sdk::Failure(SLUICE_REPLICA_LOST, failure_);
    }
}

Link::~Link() {
    const auto farewell = std::make_shared<Trade>();
    farewell->lane = Lane::farewell;
    farewell->name = "the end";
    farewell->out.resize(count_);
    farewell->in.resize(count_);
    bool is_over = false;
    farewell->done = [&] {
        const std::lock_guard lock(mutex_);
        is_over = true;
        changed_.notify_all();
    };
    begin(farewell);
    {
        std::unique_lock lock(mutex_);
        if (!changed_.wait_for(lock, kFarewell, [&] { return is_over || !reason_.empty(); })) {
            reason_ = "the others do not come to the end";
        }
        is_ending_ = true;
    }
    changed_.notify_all();
    thread_.join();
    if (!reason_.empty()) {
        static_cast<void>(mpi_.release());  // MPI may still know what lies there
    }
}

void Link::begin(std::shared_ptr<Trade> trade) {
    {
        const std::lock_guard lock(mutex_);
        new_.push_back(std::move(trade));
    }
    changed_.notify_all();
}

std::string Link::missing(const Trade& trade) {
    const std::lock_guard lock(mutex_);
    const auto at = std::ranges::find(come_, &trade, &decltype(come_)::value_type::first);
    std::string names;
    for (std::uint32_t peer = 0; peer < count_; ++peer) {
        if (peer != number_ && (at == come_.end() || !at->second[peer])) {
            names += (names.empty() ? "process " : ", process ") + std::to_string(peer) + " on " + hosts_[peer];
        }
    }
    return names;
}

void Link::abort(std::string_view reason) noexcept { end(std::string(reason), true); }

void Link::fall_silent() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return is_silent_; });
}

void Link::end(const std::string& reason, bool tells_others) noexcept {
    {
        const std::lock_guard lock(mutex_);
        if (!reason_.empty()) {
            return;
        }
        reason_ = reason.empty() ? "it was ended" : reason;
        tells_others_ = tells_others;
    }
    changed_.notify_all();
    broken_(reason);
}

// Whether anything moved.
bool Link::move() {
    bool moved = false;
    for (std::size_t i = 0; i < mpi_->underway.size(); ++i) {
        Underway& one = *mpi_->underway[i];
        if (mpi_->complete(one) == 0 && one.left > 0) {
            continue;
        }
        moved = true;
        const std::lock_guard lock(mutex_);
        const auto at = std::ranges::find(come_, one.trade.get(), &decltype(come_)::value_type::first);
        std::transform(one.awaited.begin(), one.awaited.end(), at->second.begin(),
                       [](std::size_t awaited) { return awaited == 0; });
    }
    std::erase_if(mpi_->underway, [&](const std::unique_ptr<Underway>& one) {
        if (one->left > 0) {
            return false;
        }
        const std::lock_guard lock(mutex_);
        std::erase_if(come_, [&](const auto& known) { return known.first == one->trade.get(); });
        over_.push_back(one->trade);
        return true;
    });
    for (const std::shared_ptr<Trade>& trade : std::exchange(over_, {})) {
        trade->done();
    }
    return moved;
}

void Link::serve() {
    try {
        mpi_->start();
    } catch (const std::exception& error) {
        const std::lock_guard lock(mutex_);
        failure_ = error.what();
        changed_.notify_all();
        return;
    }
    {
        const std::lock_guard lock(mutex_);
        number_ = static_cast<std::uint32_t>(mpi_->number);
        count_ = static_cast<std::uint32_t>(mpi_->count);
        hosts_ = mpi_->hosts;
        is_started_ = true;
    }
    changed_.notify_all();
    try {
        trade();
    } catch (const std::exception& error) {
        end(error.what(), true);
    }
    std::unique_lock lock(mutex_);
    if (reason_.empty()) {
        mpi_->finish();
    } else if (tells_others_) {
        const std::string reason = reason_;
        lock.unlock();
        mpi_->tell(reason);
        lock.lock();
    }
    is_silent_ = true;
    changed_.notify_all();
}

// Until the end, or the link breaks.
void Link::trade() {
    int tries = 0;
    while (true) {
        std::vector<std::shared_ptr<Trade>> begun;
        {
            std::unique_lock lock(mutex_);
            if (mpi_->underway.empty()) {
                changed_.wait_for(lock, kIdle, [&] { return !new_.empty() || is_ending_ || !reason_.empty(); });
            }
            if (!reason_.empty() || (is_ending_ && new_.empty() && mpi_->underway.empty())) {
                return;
            }
            begun.swap(new_);
            for (const std::shared_ptr<Trade>& trade : begun) {
                come_.emplace_back(trade.get(), std::vector<bool>(count(), false));
            }
        }
        for (std::shared_ptr<Trade>& trade : begun) {
            mpi_->post(std::move(trade));
        }
        tries = move() || !begun.empty() ? 0 : tries + 1;
        if (const std::string words = mpi_->last_words(); !words.empty()) {
            end(words, false);
        }
        if (tries > kTriesBeforePause) {
            std::this_thread::sleep_for(kPause);
        }
    }
}

}  // namespace sluice::mpi
