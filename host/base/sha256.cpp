#include "base/sha256.hpp"

#include <openssl/evp.h>

#include <array>

#include "base/text/hexadecimal.hpp"

namespace sluice {

struct Sha256::State {
    std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context{EVP_MD_CTX_new(), EVP_MD_CTX_free};
};

Sha256::Sha256() : state_(std::make_unique<State>()) {
    EVP_DigestInit_ex(state_->context.get(), EVP_sha256(), nullptr);
}

Sha256::~Sha256() = default;

void Sha256::add(std::span<const std::uint8_t> part) {
    EVP_DigestUpdate(state_->context.get(), part.data(), part.size());
}

std::string Sha256::finish() {
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
    unsigned length = 0;
    EVP_DigestFinal_ex(state_->context.get(), digest.data(), &length);
    return hexadecimal(std::span(digest).first(length));
}

std::string sha256(std::span<const std::string_view> parts) {
    Sha256 sum;
    for (const std::string_view part : parts) {
        sum.add({reinterpret_cast<const std::uint8_t*>(part.data()), part.size()});
    }
    return sum.finish();
}

}  // namespace sluice
