#include "data/chain/cached_part.hpp"

#include <fmt/format.h>

#include <vector>

#include "base/error.hpp"
#include "base/text/byte_size.hpp"

namespace sluice::data {

bool CachedPart::find(std::uint64_t index) {
    const std::uint64_t bytes = cache_.bytes_to_read(index);
    if (!memory_.need(bytes)) {
        throw Error(Exit::data, fmt::format("its cached copy takes {}; data.memory leaves {} for a sample",
                                            format_size(bytes), format_size(memory_.most())));
    }
    memory_.make_room(copy_.bytes, bytes);
    if (!cache_.find(index, copy_)) {
        if (memory_.has_turn()) {
            release();  // the damaged record that it holds is of no use
        }
        memory_.begin();
        return false;
    }
    for (std::size_t i = 0; i < kept_.size(); ++i) {
        slots_.set(kept_[i], copy_.fields[i]);
    }
    return true;
}

void CachedPart::release() { std::vector<std::uint8_t>().swap(copy_.bytes); }

}  // namespace sluice::data
