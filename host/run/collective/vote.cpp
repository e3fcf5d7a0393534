#include "run/collective/vote.hpp"

namespace sluice::run {

Vote::Vote(const std::shared_ptr<const registry::Device>& device, void* stream, Collectives& collectives)
    : device_(device), stream_(stream), collectives_(collectives), noes_(device, sizeof(double)) {}

bool Vote::all_vote_yes(bool yes, std::string_view question) const {
    double noes = yes ? 0.0 : 1.0;
    device_->copy(noes_.data(), &noes, sizeof(noes), stream_);
    collectives_.sum(reinterpret_cast<double*>(noes_.data()), 1, question);
    device_->copy(&noes, noes_.data(), sizeof(noes), stream_);
    device_->wait(stream_);
    collectives_.expect_whole();
    return noes == 0.0;
}

}  // namespace sluice::run
