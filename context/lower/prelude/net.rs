//! Addresses; networks have no meaning here.

use crate::fmt;
use crate::str::FromStr;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Ipv4Addr {
    octets: [u8; 4],
}

impl Ipv4Addr {
    pub const BITS: u32 = 32;
    pub const LOCALHOST: Ipv4Addr = Ipv4Addr { octets: [127, 0, 0, 1] };
    pub const UNSPECIFIED: Ipv4Addr = Ipv4Addr { octets: [0, 0, 0, 0] };
    pub const BROADCAST: Ipv4Addr = Ipv4Addr { octets: [255, 255, 255, 255] };

    pub fn new(a: u8, b: u8, c: u8, d: u8) -> Ipv4Addr {
        Ipv4Addr { octets: [a, b, c, d] }
    }

    pub fn from_octets(octets: [u8; 4]) -> Ipv4Addr {
        Ipv4Addr { octets }
    }

    pub fn octets(&self) -> [u8; 4] {
        self.octets
    }

    pub fn to_bits(self) -> u32 {
        u32::from_be_bytes(self.octets)
    }

    pub fn from_bits(bits: u32) -> Ipv4Addr {
        Ipv4Addr { octets: bits.to_be_bytes() }
    }

    pub fn is_unspecified(&self) -> bool {
        self.to_bits() == 0
    }

    pub fn is_broadcast(&self) -> bool {
        self.to_bits() == u32::MAX
    }

    pub fn is_loopback(&self) -> bool {
        self.octets[0] == 127
    }

    pub fn is_private(&self) -> bool {
        matches!(self.octets, [10, ..] | [172, 16..=31, ..] | [192, 168, ..])
    }

    pub fn is_link_local(&self) -> bool {
        matches!(self.octets, [169, 254, ..])
    }

    pub fn is_multicast(&self) -> bool {
        matches!(self.octets[0], 224..=239)
    }

    pub fn is_documentation(&self) -> bool {
        matches!(self.octets, [192, 0, 2, _] | [198, 51, 100, _] | [203, 0, 113, _])
    }
}

impl From<[u8; 4]> for Ipv4Addr {
    fn from(octets: [u8; 4]) -> Ipv4Addr {
        Ipv4Addr { octets }
    }
}

impl From<u32> for Ipv4Addr {
    fn from(bits: u32) -> Ipv4Addr {
        Ipv4Addr::from_bits(bits)
    }
}

impl From<Ipv4Addr> for u32 {
    fn from(address: Ipv4Addr) -> u32 {
        address.to_bits()
    }
}

impl fmt::Display for Ipv4Addr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [a, b, c, d] = self.octets;
        f.pad(&format!("{a}.{b}.{c}.{d}"))
    }
}

impl fmt::Debug for Ipv4Addr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum AddrKind {
    Ipv4,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AddrParseError(AddrKind);

impl fmt::Display for AddrParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("invalid IPv4 address syntax")
    }
}

impl crate::error::Error for AddrParseError {}

/// One to three digits without a leading zero.
fn octet(text: &str) -> Option<u8> {
    let plain = text.len() <= 3 && text.bytes().all(|b| b.is_ascii_digit());
    let padded = text.len() > 1 && text.starts_with('0');
    if plain && !padded { text.parse().ok() } else { None }
}

impl FromStr for Ipv4Addr {
    type Err = AddrParseError;

    fn from_str(s: &str) -> Result<Ipv4Addr, AddrParseError> {
        let octets: Option<Vec<u8>> = s.split('.').map(octet).collect();
        match octets.as_deref() {
            Some([a, b, c, d]) => Ok(Ipv4Addr::new(*a, *b, *c, *d)),
            _ => Err(AddrParseError(AddrKind::Ipv4)),
        }
    }
}
