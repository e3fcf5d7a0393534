#include "nccl_exchange/exchange.hpp"

#include <pthread.h>

#include <algorithm>

#include "in_step/in_step.hpp"
#include "nccl_exchange/status.hpp"

namespace sluice::nccl {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kPollInterval{50};        // interval at which the watch thread checks progress
constexpr milliseconds kConnectPollInterval{1};  // interval at which a replica checks whether all are connected
constexpr std::chrono::seconds kClose{10};       // limit for ending in order; after it, NCCL is aborted

bool is_capturing(void* stream) {
    cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    check(cudaStreamIsCapturing(static_cast<cudaStream_t>(stream), &status), "asking whether a stream is captured");
    return status != cudaStreamCaptureStatusNone;
}

}  // namespace

Exchange::Exchange(const sluice_topology& place, bool is_narrow, TakeId take_id)
    : place_(place),
      is_narrow_(is_narrow && place.world_replicas > 1),
      take_id_(std::move(take_id)),
      replicas_(place.local_replicas),
      order_(place.first_replica, place.local_replicas) {}

Exchange::~Exchange() {
    {
        const std::lock_guard lock(mutex_);
        is_ending_ = true;
    }
    changed_.notify_all();
    if (watch_.joinable()) {
        watch_.join();
    }
    for (std::thread& abort : aborts_) {
        abort.join();
    }
    if (abort_reason_.empty()) {
        close();
    }
}

// Shuts down in order if all replicas have connected. Connections that are not closed by then are aborted when they are
// destroyed.
void Exchange::close() {
    if (!std::ranges::all_of(replicas_, &Replica::is_open)) {
        return;
    }
    const auto end = Clock::now() + kClose;
    try {
        for (const Replica& replica : replicas_) {
            replica.connection->finalize();
        }
        for (const Replica& replica : replicas_) {
            while (!replica.connection->is_ready()) {
                if (Clock::now() > end) {
                    return;
                }
                std::this_thread::sleep_for(kConnectPollInterval);
            }
            replica.connection->destroy();
        }
    } catch (const sdk::Failure&) {  // another process was lost meanwhile
    }
}

// The caller holds the mutex, as for all functions from here to note().
void Exchange::expect_whole() const {
    if (!abort_reason_.empty()) {
        throw sdk::Failure(SLUICE_REPLICA_LOST, abort_reason_);
    }
}

// Aborting a connection waits until the graphs that captured its work are destroyed. So each connection has a thread,
// and none waits for the graphs of another.
void Exchange::end(const std::string& reason) {
    if (!abort_reason_.empty()) {
        return;
    }
    abort_reason_ = reason.empty() ? "the exchange was aborted" : reason;
    changed_.notify_all();
    for (const Replica& replica : replicas_) {
        if (replica.connection != nullptr) {
            aborts_.emplace_back([connection = replica.connection.get()] { connection->abort(); });
        }
    }
}

void Exchange::give_up(const std::string& reason) {
    end(reason);
    throw sdk::Failure(SLUICE_REPLICA_LOST, abort_reason_);
}

// The local replicas for which `lacks` is true, by their global ranks: "replica 1, replica 3".
template <class Lacks>
std::string Exchange::names(const Lacks& lacks) const {
    std::string text;
    for (std::uint32_t i = 0; i < replicas_.size(); ++i) {
        if (lacks(replicas_[i])) {
            text += (text.empty() ? "replica " : ", replica ") + std::to_string(place_.first_replica + i);
        }
    }
    return text;
}

// Notes what a replica starts; returns the number of its name.
std::uint32_t Exchange::note(const sluice_collective& collective, bool is_captured) {
    expect_whole();
    Replica& own = replicas_[collective.replica];
    if (own.is_captured != is_captured) {  // a capture that failed
        own.started = 0;
    }
    own.is_captured = is_captured;
    compares_ = compares_ && !is_captured;
    if (own.started == own.noted.size()) {
        own.noted.emplace_back();
    }
    NotedCollective& noted = own.noted[own.started++];
    noted.collective = collective;
    noted.number = order_.name(noted.collective);
    if (compares_) {
        if (const std::string why = order_.add(noted.collective); !why.empty()) {
            give_up(why);
        }
    }
    return noted.number;
}

// Runs work of a replica on its own connection. If a replica is lost there, aborts the exchange and throws the first
// reason.
template <class Work>
void Exchange::abort_if_lost(const Work& work) {
    try {
        work();
    } catch (const sdk::Failure& failure) {
        const std::lock_guard lock(mutex_);
        if (failure.status() == SLUICE_REPLICA_LOST) {
            give_up(failure.what());
        }
        throw;
    }
}

void Exchange::start(const sluice_collective& collective) {
    in_step::expect_slices(collective, place_.world_replicas);
    Replica& own = replicas_[collective.replica];
    const bool is_captured = is_capturing(collective.stream);
    if (is_captured && !own.is_open) {
        throw sdk::Failure(SLUICE_FAILED, "the first exchange of a replica cannot be captured in a graph");
    }
    const std::uint32_t number = [&] {
        const std::lock_guard lock(mutex_);
        return note(collective, is_captured);
    }();
    if (own.is_open) {
        abort_if_lost([&] { own.connection->start(collective, number); });
    }
}

void Exchange::open(std::uint32_t number) {
    std::call_once(id_is_taken_, [&] { id_ = take_id_(); });
    auto connection =
        std::make_unique<ReplicaConnection>(id_, place_.first_replica + number, place_.world_replicas, is_narrow_);
    const Lock lock(mutex_);
    expect_whole();
    replicas_[number].connection = std::move(connection);
    if (!watch_.joinable()) {
        watch_ = std::thread([this] {
            ::pthread_setname_np(::pthread_self(), "exchange watch");
            watch();
        });
    }
}

// Waits until all ranks are connected. Then puts the collectives started before on the stream.
void Exchange::connect(std::uint32_t number, double seconds) {
    open(number);
    Replica& own = replicas_[number];
    const auto begin = Clock::now();
    while (!own.connection->is_ready()) {
        Lock lock(mutex_);
        expect_whole();
        if (seconds > 0.0 && Clock::now() - begin > std::chrono::duration<double>(seconds)) {
            const std::string who = names([](const Replica& other) { return other.connection == nullptr; });
            give_up(in_step::missed(who.empty() ? "a replica of another process" : who,
                                    in_step::text_of(own.noted.front().collective), seconds)
                        .text);
        }
        changed_.wait_for(lock, kConnectPollInterval);
    }
    for (std::size_t i = 0; i < own.started; ++i) {
        own.connection->start(own.noted[i].collective, own.noted[i].number);
    }
    const std::lock_guard lock(mutex_);
    own.is_open = true;
    own.since = Clock::now();
}

void Exchange::finish(std::uint32_t replica, double seconds) {
    Replica& own = replicas_[replica];
    {
        const std::lock_guard lock(mutex_);
        expect_whole();
        own.seconds = seconds;
    }
    if (own.started == 0) {
        return;
    }
    abort_if_lost([&] {
        if (!own.is_open) {
            connect(replica, seconds);
        }
        own.connection->end();
        for (std::size_t i = 0; i < own.started; ++i) {
            if (i == 0 || own.noted[i].collective.stream != own.noted[i - 1].collective.stream) {
                own.connection->hold(own.noted[i].collective.stream);
            }
        }
    });
    own.started = 0;
}

void Exchange::abort(std::string_view reason) noexcept {
    const std::lock_guard lock(mutex_);
    end(std::string(reason));
}

void Exchange::watch() {
    Lock lock(mutex_);
    while (!changed_.wait_for(lock, kPollInterval, [&] { return is_ending_ || !abort_reason_.empty(); })) {
        for (std::uint32_t i = 0; i < replicas_.size(); ++i) {
            if (replicas_[i].is_open) {
                look_at(i);
            }
        }
    }
}

void Exchange::look_at(std::uint32_t number) {
    Replica& replica = replicas_[number];
    if (const std::string failure = replica.connection->failure(); !failure.empty()) {
        end("the exchange of replica " + std::to_string(place_.first_replica + number) + " failed: " + failure);
        return;
    }
    const Marks::Seen seen = replica.connection->marks().look();
    if (seen.number == 0 || seen.is_new) {
        replica.since = Clock::now();
    } else if (replica.seconds > 0.0 && Clock::now() - replica.since > std::chrono::duration<double>(replica.seconds)) {
        end(missed(number, seen.number));
    }
}

// The message if the GPU of a replica waits too long at a mark. The last mark stands for several collectives.
std::string Exchange::missed(std::uint32_t number, std::uint32_t mark) const {
    const Replica& replica = replicas_[number];
    const bool is_one = mark < Marks::kMost;
    const std::string what =
        is_one ? order_.text_of(mark) : "one of the collectives after " + order_.text_of(Marks::kMost - 1);
    const std::string who =
        names([&](const Replica& other) { return !other.is_open || other.connection->marks().number() != mark; });
    if (!who.empty() || !is_one) {
        return in_step::missed(who.empty() ? "a replica" : who, what, replica.seconds).text;
    }
    return place_.local_replicas < place_.world_replicas
               ? in_step::missed("a replica of another process", what, replica.seconds).text
               : what + " did not finish within " + in_step::seconds_text(replica.seconds) +
                     " after all replicas started it";
}

}  // namespace sluice::nccl
