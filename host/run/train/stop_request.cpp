#include "run/train/stop_request.hpp"

#include "base/signals/stop_handler.hpp"
#include "run/membership/agreement.hpp"

namespace sluice::run {

bool StopRequest::ask_all() {
    note(asks_any(processes_, stop_signal() != 0));
    return is_made();
}

bool StopRequest::is_made() const { return processes_.count() > 1 ? is_agreed_ : stop_signal() != 0; }

}  // namespace sluice::run
