//! Versions, and what dependencies require of them.

pub(super) type Version = (u64, u64, u64, bool);

/// The numbers of a version, and whether it is not a prerelease.
pub(super) fn version(text: &str) -> Version {
    let text = text.split('+').next().unwrap_or(text);
    let (numbers, pre) = text.split_once('-').map_or((text, false), |(n, _)| (n, true));
    let mut parts = numbers.split('.').map(|p| p.parse().unwrap_or(0));
    let mut next = || parts.next().unwrap_or(0);
    (next(), next(), next(), !pre)
}

/// A version requirement: lower bounds (inclusive) and upper bounds (exclusive).
pub(super) struct Requirement {
    bounds: Vec<(Version, Version)>,
}

impl Requirement {
    pub(super) fn parse(text: &str) -> Requirement {
        Requirement { bounds: text.split(',').map(|part| bounds(part.trim())).collect() }
    }

    pub(super) fn admits(&self, version: Version) -> bool {
        self.bounds.iter().all(|(low, high)| *low <= version && version < *high)
    }
}

fn bounds(text: &str) -> (Version, Version) {
    const TOP: Version = (u64::MAX, 0, 0, false);
    let split = text.find(|c: char| c.is_ascii_digit() || c == '*').unwrap_or(text.len());
    let (op, rest) = text.split_at(split);
    let rest = rest.trim();
    let component_count = rest.split('.').take_while(|p| p.parse::<u64>().is_ok() || p.contains('-')).count();
    let low = version(rest);
    let (a, b, c, _) = low;
    let up_to = |parts: usize| match parts {
        0 => TOP,
        1 => (a + 1, 0, 0, false),
        2 => (a, b + 1, 0, false),
        _ => (a, b, c + 1, false),
    };
    let caret = || match (a, b, component_count) {
        (0, 0, 3) => up_to(3),
        (0, _, 2 | 3) => up_to(2),
        _ => up_to(component_count.min(1)),
    };
    match op.trim() {
        ">=" => (low, TOP),
        ">" => (up_to(component_count), TOP),
        "<" => ((0, 0, 0, false), (a, b, c, false)),
        "<=" => ((0, 0, 0, false), up_to(component_count)),
        "=" => (low, up_to(component_count)),
        "~" => (low, up_to(component_count.min(2))),
        _ if rest.contains('*') => (low, up_to(component_count)),
        _ => (low, caret()),
    }
}
