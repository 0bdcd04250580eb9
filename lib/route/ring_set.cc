// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "route/ring_set.h"

#include <new>
#include <utility>

#include "base/align.h"
#include "placement/ring_access.h"

namespace clockwise {
namespace {

constexpr size_t kHead = kCacheLine;

}  // namespace

RingSet::RingSet(std::shared_ptr<const CopyPlaces> places)
    : places_(std::move(places)),
      copies_(Block::Acquire(DefaultBlockSource(),
                             kHead + places_->size() * sizeof(PublishedRing))),
      images_(places_->size()) {
  if (copies_.data() == nullptr) throw std::bad_alloc();
  *static_cast<RingSet**>(copies_.data()) = this;
  misplaced_.reserve(places_->size());
  // Room for the ring; what it holds is in blocks.
  ring_.reserve(1);
}

void RingSet::Fill(Ring&& ring, uint64_t epoch,
                   std::shared_ptr<const void> companion) noexcept {
  epoch_ = epoch;
  companion_ = std::move(companion);
  RingAccess::SetEpoch(ring, epoch);
  ring_.push_back(std::move(ring));
  // The first copy takes the place of the ring's own image, so that the others
  // can fall back on it.
  for (uint32_t i = 0; i < places_->size(); ++i) CopyTo(i);
}

void RingSet::CopyTo(uint32_t i) noexcept {
  BlockSource* source = places_->SourceOf(i);
  const bool is_in_place =
      places_->size() == 1 ||
      (i == 0 && source != nullptr && RingAccess::IsFrom(ring_[0], *source));
  if (!is_in_place) {
    Block image =
        source != nullptr ? RingAccess::CopyImage(ring_[0], *source) : Block();
    if (image.data() == nullptr) {
      misplaced_.push_back(i);
    } else if (i == 0) {
      RingAccess::MoveInto(ring_[0], std::move(image));
    } else {
      images_[i] = std::move(image);
    }
  }
  const void* image = images_[i].data();
  ShowCopy(i, image != nullptr ? static_cast<const detail::RingImage*>(image)
                               : ring_[0].image());
}

void RingSet::ShowCopy(uint32_t i, const detail::RingImage* image) noexcept {
  std::byte* at = static_cast<std::byte*>(copies_.data()) + kHead;
  new (at + i * sizeof(PublishedRing))
      PublishedRing(image, &ring_[0], epoch_, companion_.get());
}

const std::byte* RingSet::copies() const noexcept {
  return static_cast<const std::byte*>(copies_.data()) + kHead;
}

RingSet* RingSet::Of(const std::byte* copies) noexcept {
  return *reinterpret_cast<RingSet* const*>(copies - kHead);
}

}  // namespace clockwise
