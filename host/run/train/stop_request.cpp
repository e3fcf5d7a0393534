#include "run/train/stop_request.hpp"

#include "run/membership/agreement.hpp"
#include "run/train/signals.hpp"

namespace sluice::run {

bool StopRequest::ask_all() {
    note(asks_any(processes_, stop_signal() != 0));
    return is_made();
}

bool StopRequest::is_made() const { return processes_.count() > 1 ? is_agreed_ : stop_signal() != 0; }

}  // namespace sluice::run
