#include "data/loader/epoch_hashes.hpp"

#include "data/loader/batch_slot.hpp"

namespace sluice::data {

EpochHashes::EpochHashes(std::int64_t batch, bool collects)
    : batch_(static_cast<std::uint64_t>(batch)), collects_(collects) {}

void EpochHashes::restart(std::uint64_t number, const std::string& state) {
    digest_ = EpochDigest::of_state(state);
    handed_out_ = number;
    digested_ = number;
    own_.clear();
}

void EpochHashes::add(const BatchSlot& slot, std::uint64_t number, bool is_all) {
    if (number == 0) {
        digest_.emplace();
        digested_ = 0;
        own_.clear();
    }
    handed_out_ = number + 1;
    if (digest_ && is_all) {
        slot.add_to(*digest_);
        digested_ = handed_out_;
    } else if (digest_ && collects_) {
        slot.add_to(own_, number * batch_);
    }
}

const EpochDigest* EpochHashes::digest() const { return digest_ && digested_ == handed_out_ ? &*digest_ : nullptr; }

std::string EpochHashes::own() const { return to_bytes(own_); }

void EpochHashes::join(std::span<const std::string> of_all) {
    if (digest_) {
        for (const SampleHash& sample : in_order(of_all)) {
            digest_->add(sample.index, sample.hash);
        }
        digested_ = handed_out_;
    }
    own_.clear();
}

std::string EpochHashes::state() const { return digest_ ? digest_->state() : ""; }

std::uint64_t EpochHashes::digested() const { return digested_; }

}  // namespace sluice::data
