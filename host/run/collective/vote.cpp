#include "run/collective/vote.hpp"

namespace sluice::run {

Vote::Vote(const std::shared_ptr<const registry::Device>& device, void* stream, Exchange& exchange)
    : device_(device), stream_(stream), exchange_(exchange), noes_(device, sizeof(double)) {}

bool Vote::all_say(bool yes, std::string_view question) const {
    double noes = yes ? 0.0 : 1.0;
    device_->copy(noes_.data(), &noes, sizeof(noes), stream_);
    exchange_.add_up(reinterpret_cast<double*>(noes_.data()), 1, question);
    device_->copy(&noes, noes_.data(), sizeof(noes), stream_);
    device_->wait(stream_);
    exchange_.expect_whole();
    return noes == 0.0;
}

}  // namespace sluice::run
