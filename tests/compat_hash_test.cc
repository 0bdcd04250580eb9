// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "clockwise/compat_hash.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "base/endian.h"
#include "compat/hash/crc16.h"
#include "compat/hash/crc32.h"
#include "compat/hash/md5_digest.h"
#include "compat/hash/spooky.h"
#include "compat/hash/utf16.h"
#include "guarded_bytes.h"

namespace clockwise {
namespace {

using namespace std::string_view_literals;

PeerHash At(int i) { return static_cast<PeerHash>(i); }

std::string Hex(const compat_internal::Md5Digest& digest) {
  std::string hex;
  for (const uint8_t byte : digest.Bytes()) {
    hex.push_back("0123456789abcdef"[byte >> 4]);
    hex.push_back("0123456789abcdef"[byte & 15]);
  }
  return hex;
}

TEST(CompatHashTest, Md5HasTheAnswersOfRfc1321) {
  const auto md5 = [](std::string_view text) {
    return Hex(compat_internal::Md5(text));
  };
  EXPECT_EQ(md5(""), "d41d8cd98f00b204e9800998ecf8427e");
  EXPECT_EQ(md5("a"), "0cc175b9c0f1b6a831c399e269772661");
  EXPECT_EQ(md5("abc"), "900150983cd24fb0d6963f7d28e17f72");
  EXPECT_EQ(md5("message digest"), "f96b697d7cb7938d525a2f31aaf161d0");
  EXPECT_EQ(md5("abcdefghijklmnopqrstuvwxyz"),
            "c3fcd3d76192e4007dfb496cca67e13b");
  EXPECT_EQ(
      md5("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"),
      "d174ab98d277d9f5a5611c2c9f419d9f");
  EXPECT_EQ(md5("1234567890123456789012345678901234567890"
                "1234567890123456789012345678901234567890"),
            "57edf4a22be3c955ac49da2e2107b67a");
  const auto abc = compat_internal::Md5("abc");
  EXPECT_EQ(abc.words[0], 0x98500190u);
  EXPECT_EQ(abc.High64(), 0x900150983cd24fb0u);
  EXPECT_EQ(abc.Low64(), 0xd6963f7d28e17f72u);
}

TEST(CompatHashTest, KnownAnswersOfCrcs) {
  using compat_internal::Crc16;
  using compat_internal::Crc32;
  EXPECT_EQ(Crc16("123456789"), 0x31c3);  // the check value of XMODEM
  EXPECT_EQ(Crc16(""), 0);
  EXPECT_EQ(Crc32("123456789"), 0xcbf43926u);  // that of ISO 3309
  EXPECT_EQ(Crc32("56789", Crc32("1234")), 0xcbf43926u);
  EXPECT_EQ(Crc32({}, 0xcbf43926u), 0xcbf43926u);
  EXPECT_EQ(PeerHashOf(PeerHash::kCrc15, "123456789") >> 32, 0x4bf4u);
  EXPECT_EQ(PeerHashOf(PeerHash::kCrc31, "123456789") >> 32, 0x4bf43926u);
}

// From the Redis Cluster specification.
TEST(CompatHashTest, HashTagsOfRedis) {
  using compat_internal::RedisHashTag;
  EXPECT_EQ(RedisHashTag("{user1000}.following"), "user1000");
  EXPECT_EQ(RedisHashTag("foo{}{bar}"), "foo{}{bar}");
  EXPECT_EQ(RedisHashTag("foo{{bar}}zap"), "{bar");
  EXPECT_EQ(RedisHashTag("foo{bar}{zap}"), "bar");
  EXPECT_EQ(RedisHashTag("a}b{c"), "a}b{c");
  EXPECT_EQ(RedisHashTag("}{a}"), "a");
  EXPECT_EQ(RedisHashTag("{"), "{");
  EXPECT_EQ(RedisHashTag({}), "");
  EXPECT_EQ(compat_internal::RedisSlot("123456789"), 12739u);
}

// From xxHash's and SMHasher's own checks and from what each peer documents.
TEST(CompatHashTest, KnownAnswersOfOthers) {
  const auto hash = [](PeerHash kind, std::string_view key) {
    return PeerHashOf(kind, key) >> (64 - PeerHashBits(kind));
  };
  EXPECT_EQ(hash(PeerHash::kXxh64, ""), 0xef46db3751d8e999u);
  EXPECT_EQ(hash(PeerHash::kXxh64, "abc"), 0x44bc2cf5ad770999u);
  EXPECT_EQ(hash(PeerHash::kXxh32, ""), 0x02cc5d05u);
  EXPECT_EQ(hash(PeerHash::kXxh32, "abc"), 0x32d153ffu);
  EXPECT_EQ(hash(PeerHash::kFnv1a32, "foobar"), 0xbf9cf968u);
  EXPECT_EQ(hash(PeerHash::kJavaHashCode, "hello"), 99162322u);
  EXPECT_EQ(hash(PeerHash::kDjb2, ""), 5381u);
  EXPECT_EQ(hash(PeerHash::kJenkins, ""), 0xdeadbeefu + 13);
  EXPECT_EQ(hash(PeerHash::kHsieh, ""), 0u);
  EXPECT_EQ(hash(PeerHash::kMurmur3_128, "foo"), 0xe271865701f54561u);
}

TEST(CompatHashTest, DecimalKeysStopAndSaturateAsHaproxyDoes) {
  const auto decimal = [](std::string_view key) {
    return static_cast<uint32_t>(PeerHashOf(PeerHash::kDecimal, key) >> 32);
  };
  EXPECT_EQ(decimal(""), 0u);
  EXPECT_EQ(decimal("x1"), 0u);
  EXPECT_EQ(decimal("42abc"), 42u);
  EXPECT_EQ(decimal("+42"), 42u);
  EXPECT_EQ(decimal("-1"), 0xffffffffu);
  EXPECT_EQ(decimal("+-1"), 0u);
  EXPECT_EQ(decimal("4294967296"), 0u);
  EXPECT_EQ(decimal("9223372036854775807"), 0xffffffffu);
  EXPECT_EQ(decimal("9223372036854775808"), 0xffffffffu);
  EXPECT_EQ(decimal("99999999999999999999999"), 0xffffffffu);
  EXPECT_EQ(decimal("-9223372036854775807"), 1u);
  EXPECT_EQ(decimal("-9223372036854775808"), 0u);
  EXPECT_EQ(decimal("-99999999999999999999999"), 0u);
}

TEST(CompatHashTest, Utf16UnitsAreThoseOfTheEncodingStandard) {
  const auto units = [](std::string_view key) {
    std::u16string text;
    compat_internal::ForUtf16(key, [&](uint16_t unit) { text += unit; });
    return text;
  };
  EXPECT_EQ(units("a\xc3\xa9\xed\x95\x9c"), u"a\u00e9\ud55c");
  EXPECT_EQ(units("\xf0\x9f\x98\x80"), u"\U0001f600");
  EXPECT_EQ(units("\xf4\x8f\xbf\xbf"), u"\U0010ffff");
  EXPECT_EQ(units("\0"sv), u"\0"sv);
  EXPECT_EQ(units("\xff"), u"\ufffd");
  EXPECT_EQ(units("\xc0\xaf"), u"\ufffd\ufffd");            // overlong
  EXPECT_EQ(units("\xe2\x82"), u"\ufffd");                  // cut off
  EXPECT_EQ(units("\xe2\x82z"), u"\ufffdz");                // interrupted
  EXPECT_EQ(units("\xf0\x9f\x98\xf0"), u"\ufffd\ufffd");    // twice
  EXPECT_EQ(units("\xed\xa0\x80"), u"\ufffd\ufffd\ufffd");  // a surrogate
  EXPECT_EQ(units("\xe0\x9f\x80"), u"\ufffd\ufffd\ufffd");  // overlong
  EXPECT_EQ(units("\xf4\x90\x80\x80"), u"\ufffd\ufffd\ufffd\ufffd");
}

// Keys of every length to 300, and some that single hashes treat apart.
std::vector<std::string> PinnedKeys() {
  std::vector<std::string> keys;
  for (size_t n = 0; n <= 300; ++n) {
    std::string key;
    for (size_t i = 0; i < n; ++i) {
      key.push_back(static_cast<char>(i * i * 31 + n * 7 + i * (n & 3)));
    }
    keys.push_back(key);
  }
  for (const char* text :
       {"user:42", "{user1000}.following", "a{}b{c}", "-9223372036854775809",
        "+18446744073709551616", "123abc", "4294967297",
        "\u043a\u044d\u0448-01", "\U0001f600 \ud55c\u00e9", "\xe2\x82",
        "\xf0\x9f\x98"
        "a\xed\xa0\x80\xc0\xaf\xf4\x90\x80\x80\xff"}) {
    keys.emplace_back(text);
  }
  return keys;
}

struct Pin {
  std::string_view name;
  uint64_t fold;  // FNV-1a 64 of the hashes, left-aligned, little-endian
};

// Computed by a program in Python that shares nothing with this library. The
// order is that of the enumeration.
constexpr Pin kPins[] = {
    {"one-at-a-time", 0x6744b5ad37a7b568},
    {"md5-32", 0x5fd12e1870ed8e4d},
    {"crc-15", 0x36faf3c5096f7b42},
    {"fnv1-64-signed", 0xd72d8b843551ca43},
    {"fnv1a-64-signed", 0xc9ccef010cbc68a4},
    {"fnv1-32-signed", 0xf4680d3f541c8ac9},
    {"fnv1a-32-signed", 0xbca4477ffa4439ca},
    {"hsieh", 0x0bbf0e3115642d0b},
    {"murmur2-32", 0x44983f860b25d62d},
    {"murmur3-32-length", 0xcbe8536414b3a7b6},
    {"jenkins", 0x957b08641f19d89a},
    {"crc-16-shifted", 0x3b147f4bcb823b75},
    {"crc-32", 0x351f9380088fb85c},
    {"sdbm", 0xa2c7dbb88d8017b2},
    {"sdbm-avalanche", 0x4306095687941e82},
    {"djb2", 0xce084836754eb723},
    {"djb2-avalanche", 0xfcd9d58c7ff17d20},
    {"wt6", 0x5845c588b6145682},
    {"wt6-avalanche", 0x2bf3a52afe7e8805},
    {"crc-32-avalanche", 0xb74dbfa9915ac6e1},
    {"decimal", 0x8d3121deccc409df},
    {"decimal-avalanche", 0x1918668b697b5714},
    {"xxh64", 0xb687e52a7e75c580},
    {"murmur2-64-std", 0x898733b341878713},
    {"java-hash-code", 0x7746ac68f1671082},
    {"fnv1-64-utf16", 0x5b8353a4dfb701c4},
    {"fnv1a-64-utf16", 0xff450c6cfa224151},
    {"fnv1-32-utf16", 0xa6a392d7e144887e},
    {"fnv1a-32-utf16", 0x1b2c4020a553041e},
    {"fnv1a-32-utf16-fmix", 0x68bccc4eaa04bfa4},
    {"md5-64", 0xf1b0a73c8be56be3},
    {"fnv1a-32", 0x2bddff1dcdfcd540},
    {"redis-slot", 0x8f9892015c77d414},
    {"cassandra-token", 0xc703c80921d53cf3},
    {"murmur2-64-mcrouter", 0x1e8a7a82bc9c3137},
    {"murmur2-64-rendezvous", 0x38d267c867a4e1b8},
    {"crc-31", 0xab0cc2e55316ef5c},
    {"spooky-32", 0x77c9527c46971b4e},
    {"murmur3-128", 0x39a513547ab86dbf},
    {"xxh32", 0x48eefc10b629ce06},
};

TEST(CompatHashTest, ValuesNamesAndHashesArePinned) {
  ASSERT_EQ(std::size(kPins), size_t{kPeerHashes});
  const std::vector<std::string> keys = PinnedKeys();
  for (int i = 0; i < kPeerHashes; ++i) {
    std::string bytes(8 * keys.size(), '\0');
    for (size_t k = 0; k < keys.size(); ++k) {
      StoreLe64(&bytes[8 * k], PeerHashOf(At(i), keys[k]));
    }
    EXPECT_EQ(PeerHashName(At(i)), kPins[i].name);
    EXPECT_EQ(Fnv1a64(bytes), kPins[i].fold) << kPins[i].name;
  }
}

TEST(CompatHashTest, NamesAreDistinctAndReadBack) {
  std::set<std::string_view> names;
  for (int i = 0; i < kPeerHashes; ++i) {
    names.insert(PeerHashName(At(i)));
    EXPECT_EQ(ParsePeerHash(PeerHashName(At(i))), At(i));
  }
  EXPECT_EQ(names.size(), size_t{kPeerHashes});
  EXPECT_EQ(PeerHashName(At(kPeerHashes)), "unknown");
  EXPECT_EQ(PeerHashOf(At(255), "key"), 0u);
  EXPECT_EQ(ParsePeerHash("unknown"), std::nullopt);
}

TEST(CompatHashTest, NamesOfPeers) {
  EXPECT_EQ(ParsePeerHash("twemproxy", "crc32"), PeerHash::kCrc15);
  EXPECT_EQ(ParsePeerHash("twemproxy", "crc32a"), PeerHash::kCrc32);
  EXPECT_EQ(ParsePeerHash("haproxy", "crc32"), PeerHash::kCrc32);
  EXPECT_EQ(ParsePeerHash("mcrouter", "Crc32"), PeerHash::kCrc31);
  EXPECT_EQ(ParsePeerHash("haproxy", "wt6 avalanche"), PeerHash::kWt6Avalanche);
  EXPECT_EQ(ParsePeerHash("Envoy", "MURMUR_HASH_2"), PeerHash::kMurmur2_64Std);
  EXPECT_EQ(ParsePeerHash("spymemcached", "NATIVE_HASH"),
            PeerHash::kJavaHashCode);
  EXPECT_EQ(ParsePeerHash("libmemcached", "murmur3"), PeerHash::kMurmur3_32);
  EXPECT_EQ(ParsePeerHash("libmemcached", "crc32a"), std::nullopt);
  EXPECT_EQ(ParsePeerHash("nobody", "md5"), std::nullopt);
  EXPECT_EQ(ParsePeerHash("twemproxy", ""), std::nullopt);
}

TEST(CompatHashTest, HashesOf32BitsAreLeftAligned) {
  for (int i = 0; i < kPeerHashes; ++i) {
    if (PeerHashBits(At(i)) == 64) continue;
    EXPECT_EQ(PeerHashOf(At(i), "user:42") << 32, 0u) << PeerHashName(At(i));
  }
}

TEST(CompatHashTest, KeysAreAnywhereAndNoByteOutsideIsRead) {
  const GuardedBytes bytes(4096);
  for (size_t size = 0; size <= 300; ++size) {
    for (const uint8_t* at :
         {bytes.begin(), bytes.end() - size, bytes.begin() + 1 + size % 63}) {
      const std::string_view key(reinterpret_cast<const char*>(at), size);
      const std::string copy(key);
      for (int i = 0; i < kPeerHashes; ++i) {
        ASSERT_EQ(PeerHashOf(At(i), key), PeerHashOf(At(i), copy))
            << PeerHashName(At(i)) << " of " << size << " bytes";
      }
    }
  }
}

TEST(CompatHashTest, EmptyKeysNeedNoPointer) {
  for (int i = 0; i < kPeerHashes; ++i) {
    EXPECT_EQ(PeerHashOf(At(i), {}), PeerHashOf(At(i), ""));
  }
}

}  // namespace
}  // namespace clockwise
