// Observers in C++. Their exceptions do not leave the table, because all its functions are noexcept.
#include <cmath>
#include <cstdint>
#include <new>
#include <stdexcept>

#include "faults.h"
#include "sluice/kind/observer.h"

namespace {

struct Observer {
    fault own;
    double loss = 0.0;

    void take(const sluice_event& event) {
        for (std::uint64_t i = 0; i < event.scalar_count; ++i) {
            if (own == FAULT_throws && std::isnan(event.scalars[i].value)) {
                throw std::domain_error("what is no number cannot be plotted");
            }
            loss += event.scalars[i].value;
        }
    }
};

sluice_status create(const sluice_host* /*host*/, const sluice_value* options, void** self,
                     sluice_error* error) noexcept {
    *self = new (std::nothrow) Observer{fault_of(options)};
    return *self != nullptr ? SLUICE_OK : fail(error, SLUICE_NO_MEMORY, "no memory for an object");
}

void destroy(void* self) noexcept { delete static_cast<Observer*>(self); }

std::uint64_t wants(void* /*self*/) noexcept { return ~std::uint64_t{0}; }

sluice_status on_event(void* self, const sluice_event* event, sluice_error* /*error*/) noexcept {
    static_cast<Observer*>(self)->take(*event);
    return SLUICE_OK;
}

const sluice_observer table = {create, destroy, wants, on_event};

}  // namespace

FAULTY_PLUGIN(SLUICE_OBSERVER_V1, table)
