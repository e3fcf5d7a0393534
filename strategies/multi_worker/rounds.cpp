#include "rounds.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <span>
#include <utility>

#include "ranges/ranges.hpp"
#include "sluice/sdk/guard.hpp"
#include "sluice/sdk/tensor.hpp"
#include "wire.hpp"

namespace sluice::multi_worker {
namespace {

// Means are summed first: the sum over all processes is divided at the end.
std::uint32_t reduced_as(std::uint32_t kind) {
    return kind == SLUICE_COLLECTIVE_MAX ? kind : std::uint32_t{SLUICE_COLLECTIVE_SUM};
}

template <class T>
void scale(std::span<std::byte> range, std::size_t world) {
    const T share = T{1} / static_cast<T>(world);
    const std::span<T> values(reinterpret_cast<T*>(range.data()), range.size() / sizeof(T));
    std::ranges::transform(values, values.begin(), [share](T value) { return value * share; });
}

}  // namespace

struct Rounds::Round {
    std::uint64_t number = 0;
    std::vector<sluice_collective> members;  // ranges of this process, by replica
    std::string name;                        // a copy, because the collective's name is borrowed for a shorter time
    std::uint32_t arrived = 0;
    bool is_done = false;

    // The members below are only used with other processes.
    std::vector<std::vector<std::byte>> came;  // blocks from the others, by process, in wire format
    std::vector<std::vector<float>> wide;      // the same as float32, if the wire is bfloat16
    std::vector<std::byte> sent_as_bfloat16;   // what is sent, if the wire is bfloat16
    std::shared_ptr<mpi::Transfer> transfer;

    [[nodiscard]] const sluice_collective& shape() const { return members.front(); }
    [[nodiscard]] std::size_t element_bytes() const { return shape().dtype.bits / 8; }
    [[nodiscard]] std::byte* data() const { return static_cast<std::byte*>(shape().data); }
    // Returns where the slice of a process begins, in elements.
    [[nodiscard]] std::uint64_t cut(std::uint32_t process, std::uint32_t processes) const {
        return in_step::is_cut(shape()) ? shape().count / processes * process : shape().count * process / processes;
    }
    [[nodiscard]] std::span<std::byte> slice(std::uint32_t process, std::uint32_t processes) const {
        const std::uint64_t begin = cut(process, processes);
        return {data() + begin * element_bytes(), (cut(process + 1, processes) - begin) * element_bytes()};
    }
    // The part of that slice that belongs to a member, if each member has a slice.
    [[nodiscard]] std::span<std::byte> slice_of(std::size_t member, std::uint32_t process,
                                                std::uint32_t processes) const {
        const std::span<std::byte> all = slice(process, processes);
        return all.subspan(all.size() / members.size() * member, all.size() / members.size());
    }
    [[nodiscard]] std::span<std::byte> whole() const { return {data(), shape().count * element_bytes()}; }
    [[nodiscard]] std::span<float> numbers() const { return {static_cast<float*>(shape().data), shape().count}; }
    // Returns the part of `sent_as_bfloat16` that holds a range of float32 in wire format.
    [[nodiscard]] std::span<std::byte> narrowed(std::span<std::byte> range) {
        return std::span(sent_as_bfloat16)
            .subspan(static_cast<std::size_t>(range.data() - data()) / 2, range.size() / 2);
    }
    // Turns sums into means if the collective is a mean.
    void divide(std::span<std::byte> range, std::size_t world) const {
        if (shape().kind == SLUICE_COLLECTIVE_MEAN && element_bytes() == sizeof(double)) {
            scale<double>(range, world);
        } else if (shape().kind == SLUICE_COLLECTIVE_MEAN) {
            scale<float>(range, world);
        }
    }
};

Rounds::Rounds(std::uint32_t replicas) : replicas_(replicas) {}

Rounds::~Rounds() = default;

void Rounds::start(const sluice_collective& collective) {
    in_step::expect_slices(collective, static_cast<std::uint32_t>(replicas_.size()) * processes());
    if (Round* const round = join(collective)) {
        begin(*round);
    }
}

Rounds::Round* Rounds::join(const sluice_collective& collective) {
    Lock lock(mutex_);
    if (!failure_.empty()) {
        give_up(failure_, lock);
    }
    const std::uint64_t number = replicas_[collective.replica].started++ - dropped_;
    if (number == rounds_.size()) {
        if (spare_.empty()) {
            spare_.push_back(std::make_unique<Round>());
        }
        rounds_.push_back(std::move(spare_.back()));
        spare_.pop_back();
    }
    Round& round = *rounds_[number];
    if (round.arrived == 0) {
        round.number = dropped_ + number;
        round.members.assign(replicas_.size(), {});
        round.name = sdk::view(collective.name);
        round.is_done = false;
    } else {
        const auto first =
            std::ranges::find_if(round.members, [](const auto& member) { return member.struct_size != 0; });
        if (const std::string why = in_step::why_out_of_step(*first, collective); !why.empty()) {
            give_up({.text = why}, lock);
        }
    }
    sluice_collective& member = round.members[collective.replica];
    member = collective;
    member.name = {round.name.data(), round.name.size()};
    return ++round.arrived == replicas_.size() ? &round : nullptr;
}

// Reduces or gathers the ranges of this process first, then begins the exchange.
void Rounds::begin(Round& round) {
    const std::uint32_t kind = round.shape().kind;
    if (kind == SLUICE_COLLECTIVE_ALL_GATHER) {
        for (std::size_t i = 1; i < round.members.size(); ++i) {
            const std::span<std::byte> slice = round.slice_of(i, rank(), processes());
            std::memcpy(slice.data(), static_cast<std::byte*>(round.members[i].data) + (slice.data() - round.data()),
                        slice.size());
        }
    } else if (round.members.size() > 1) {
        std::vector<sluice_collective> sum = round.members;
        for (sluice_collective& member : sum) {
            member.kind = reduced_as(kind);
        }
        ranges::reduce_to(sum.front(), sum);
    }
    if (processes() == 1) {
        round.divide(round.whole(), replicas_.size());
        end(round);
    } else if (kind == SLUICE_COLLECTIVE_ALL_GATHER) {
        gather(round);
    } else if (kind != SLUICE_COLLECTIVE_REDUCE_SCATTER && round.whole().size() <= in_step::kSmall) {
        exchange_whole(round);
    } else {
        scatter(round);
    }
}

void Rounds::exchange_whole(Round& round) {
    transfer(
        round, mpi::Lane::scatter, [&](std::uint32_t) { return round.whole(); },
        [&](std::uint32_t) { return round.whole().size(); },
        [this, &round] {
            reduce(round, round.whole());
            end(round);
        });
}

void Rounds::scatter(Round& round) {
    const bool narrows = in_step::is_narrow(round.shape());
    if (narrows) {
        narrow(round.numbers(), round.sent_as_bfloat16);
    }
    const std::span<std::byte> own = round.slice(rank(), processes());
    transfer(
        round, mpi::Lane::scatter,
        [&](std::uint32_t peer) {
            const std::span<std::byte> slice = round.slice(peer, processes());
            return narrows ? round.narrowed(slice) : slice;
        },
        [&](std::uint32_t) { return narrows ? own.size() / 2 : own.size(); },
        [this, &round, own] {
            reduce(round, own);
            if (round.shape().kind == SLUICE_COLLECTIVE_REDUCE_SCATTER) {
                end(round);
            } else {
                gather(round);
            }
        });
}

// Reduces the own bytes of this range and those that came from the others.
void Rounds::reduce(Round& round, std::span<std::byte> range) {
    std::vector<sluice_collective> all(processes(), round.shape());
    const bool is_wide = range.size() == round.came[rank() == 0 ? 1 : 0].size();
    round.wide.resize(processes());
    for (std::uint32_t peer = 0; peer < processes(); ++peer) {
        all[peer].count = range.size() / round.element_bytes();
        all[peer].kind = reduced_as(round.shape().kind);
        if (peer == rank()) {
            all[peer].data = range.data();
        } else if (is_wide) {
            all[peer].data = round.came[peer].data();
        } else {
            round.wide[peer].resize(all[peer].count);
            widen(round.came[peer], round.wide[peer].data());
            all[peer].data = round.wide[peer].data();
        }
    }
    ranges::reduce_to(all[rank()], all);
    round.divide(range, processes() * replicas_.size());
}

void Rounds::gather(Round& round) {
    const bool narrows = in_step::is_narrow(round.shape());
    const std::span<std::byte> own = round.slice(rank(), processes());
    if (narrows) {
        narrow({reinterpret_cast<float*>(own.data()), own.size() / sizeof(float)}, round.sent_as_bfloat16);
    }
    transfer(
        round, mpi::Lane::gather,
        [&](std::uint32_t) { return narrows ? std::span<std::byte>(round.sent_as_bfloat16) : own; },
        [&](std::uint32_t peer) {
            const std::size_t bytes = round.slice(peer, processes()).size();
            return narrows ? bytes / 2 : bytes;
        },
        [this, &round, narrows] {
            for (std::uint32_t peer = 0; peer < processes(); ++peer) {
                std::byte* const to = round.slice(peer, processes()).data();
                if (peer != rank() && narrows) {
                    widen(round.came[peer], reinterpret_cast<float*>(to));
                } else if (peer != rank()) {
                    std::ranges::copy(round.came[peer], to);
                }
            }
            end(round);
        });
}

// `out` returns the bytes to send to a process, `bytes` the number of bytes that come from it.
template <class Out, class Size>
void Rounds::transfer(Round& round, mpi::Lane lane, const Out& out, const Size& bytes, std::function<void()> done) {
    auto transfer = std::make_shared<mpi::Transfer>();
    transfer->lane = lane;
    transfer->number = round.number;
    transfer->name = round.name;
    transfer->done = std::move(done);
    transfer->out.resize(processes());
    transfer->in.resize(processes());
    round.came.resize(processes());
    for (std::uint32_t peer = 0; peer < processes(); ++peer) {
        if (peer != rank()) {
            transfer->out[peer] = out(peer);
            round.came[peer].resize(bytes(peer));
            transfer->in[peer] = round.came[peer];
        }
    }
    {
        const Lock lock(mutex_);
        round.transfer = transfer;
    }
    link_->begin(std::move(transfer));
}

void Rounds::end(Round& round) {
    for (std::size_t i = 1; i < round.members.size(); ++i) {
        const std::span<std::byte> part = round.shape().kind == SLUICE_COLLECTIVE_REDUCE_SCATTER
                                              ? round.slice_of(i, rank(), processes())
                                              : round.whole();
        std::ranges::copy(part, static_cast<std::byte*>(round.members[i].data) + (part.data() - round.data()));
    }
    {
        const Lock lock(mutex_);
        round.is_done = true;
    }
    changed_.notify_all();
}

void Rounds::finish(std::uint32_t replica, double seconds) {
    Lock lock(mutex_);
    Replica& own = replicas_[replica];
    while (own.finished < own.started) {
        Round& round = *rounds_[own.finished - dropped_];
        const auto is_over = [&] { return round.is_done || !failure_.empty(); };
        if (seconds <= 0.0) {
            changed_.wait(lock, is_over);
        } else if (!changed_.wait_for(lock, std::chrono::duration<double>(seconds), is_over)) {
            give_up(in_step::missed(missing_replicas(round), in_step::text_of(round.shape()), seconds), lock);
        }
        if (!failure_.empty()) {
            give_up(failure_, lock, in_step::text_of(round.members[replica]));
        }
        ++own.finished;
    }
    drop_finished();
}

void Rounds::drop_finished() {
    const std::uint64_t needed = std::ranges::min(replicas_, {}, &Replica::finished).finished;
    for (; dropped_ < needed; ++dropped_) {
        rounds_.front()->arrived = 0;
        rounds_.front()->transfer.reset();
        spare_.insert(spare_.begin(), std::move(rounds_.front()));
        rounds_.pop_front();
    }
}

// The caller holds the mutex.
std::string Rounds::missing_replicas(const Round& round) {
    std::string names;
    for (std::uint32_t i = 0; i < round.members.size(); ++i) {
        if (round.members[i].struct_size == 0) {
            names += (names.empty() ? "replica " : ", replica ") + std::to_string(i) + " of this process";
        }
    }
    return !names.empty() || round.transfer == nullptr ? names : link_->missing(*round.transfer);
}

// Aborts the exchange, then throws when no range is touched any more: they belong to the caller again.
void Rounds::give_up(const in_step::AbortReason& reason, Lock& lock, const std::string& waited_for) {
    if (failure_.empty()) {
        failure_ = reason;
    }
    const in_step::AbortReason first = failure_;
    lock.unlock();
    changed_.notify_all();
    if (link_ != nullptr) {
        link_->abort(first);
        link_->wait_until_idle();
    }
    throw sdk::Failure(SLUICE_REPLICA_LOST, waited_for.empty() ? first.text : in_step::waited(first, waited_for));
}

void Rounds::fail(const in_step::AbortReason& reason) {
    {
        const Lock lock(mutex_);
        if (failure_.empty()) {
            failure_ = reason;
        }
    }
    changed_.notify_all();
}

}  // namespace sluice::multi_worker
