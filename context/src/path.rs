//! Paths of functions, and the shorter names by which users and contexts refer to them.
//!
//! A path is the name of an IR function: `geometry::area`, `twice<f64>`, `<geometry::Disc as Area>::area`,
//! `std::iter::Iterator::sum<Iter<f64>, f64>`. The rules below are those of [`is_called`] and [`is_within`]:
//!
//! - NAMEPATH1 a name matches at a boundary of path segments: `area` and `geometry::area` match `geometry::area`,
//!   `rea` does not.
//! - NAMEPATH2 type arguments that the name omits are ignored: `twice` matches `twice<f64>` and `twice<f32>`,
//!   and `twice<f32>` matches only the second.
//! - NAMEPATH3 a method of an impl is found by its type and by its trait: `Disc::area` and `Area::area` match
//!   `<Disc as Area>::area`.
//! - NAMEPATH4 the number that distinguishes functions with equal paths (`area#1`) is ignored.
//! - NAMEPATH5 the modules in paths of the standard library are ignored, since they differ between `std`,
//!   `core` and the prelude.

/// Whether `name` refers to the function or operation at `path`: by the whole path, or by its last segments.
///
/// ```
/// use overdub_context::path::is_called;
///
/// assert!(is_called("geometry::area", "area"));
/// assert!(is_called("twice<f64>", "twice") && !is_called("twice<f64>", "twice<f32>"));
/// let method = "<geometry::Disc as Area>::area";
/// assert!(["area", "Disc::area", "Area::area", method].iter().all(|name| is_called(method, name)));
/// assert!(!is_called("area::{closure#0}", "area"));
/// ```
pub fn is_called(path: &str, name: &str) -> bool {
    if path == name || path.strip_suffix(name).is_some_and(|before| before.ends_with("::")) {
        return true;
    }
    if !path.contains(['<', '#']) || !has_word_of(path, name) {
        return false;
    }
    let (path, name) = (Path::read(path), Path::read(name));
    match &name.of {
        Some(of) => {
            let Some(known) = &path.of else { return false };
            let traits_fit = match (&known.1, &of.1) {
                (Some(known), Some(sought)) => is_suffix(sought, known),
                (None, None) => true,
                _ => false,
            };
            traits_fit && is_suffix(&of.0, &known.0) && same_all(&name.rest, &path.rest)
        }
        None => {
            let readings = path.readings();
            readings.iter().any(|reading| is_suffix(&name.rest, reading) || is_std(&name.rest, reading))
        }
    }
}

/// NAMEPATH5: `std::iter::Iterator::sum` and `core::iter::traits::iterator::Iterator::sum` are the same function.
fn is_std(sought: &[Segment<'_>], known: &[Segment<'_>]) -> bool {
    let is_root = |segment: &Segment<'_>| matches!(segment.name, "std" | "core" | "alloc");
    let is_module = |segment: &Segment<'_>| segment.name.starts_with(|c: char| c.is_lowercase());
    if sought.len() < 2 || !sought.first().is_some_and(is_root) || !known.first().is_some_and(is_root) {
        return false;
    }
    let modules = sought[..sought.len() - 1].iter().take_while(|segment| is_module(segment)).count();
    let sought = &sought[modules..];
    // A free function is not a method of a type.
    let fits_kind = sought.len() > 1 || known.len() < 2 || is_module(&known[known.len() - 2]);
    fits_kind && is_suffix(sought, known)
}

/// Whether the function at `path` is `scope` itself, or is inside the function, type, trait or module
/// `scope`.
///
/// ```
/// use overdub_context::path::is_within;
///
/// assert!(is_within("geometry::flat::area", "flat") && is_within("geometry::flat::area", "geometry::flat"));
/// assert!(is_within("twice<f64>::{closure#0}", "twice"));
/// assert!(!is_within("geometry::flat::area", "lat"));
/// ```
pub fn is_within(path: &str, scope: &str) -> bool {
    if path.strip_prefix(scope).is_some_and(|rest| rest.is_empty() || rest.starts_with("::")) {
        return true;
    }
    if !has_word_of(path, scope) {
        return false;
    }
    let (path, scope) = (Path::read(path), Path::read(scope));
    if let Some(of) = &scope.of {
        return path.of.is_some_and(|known| {
            is_suffix(&of.0, &known.0)
                && of.1.as_ref().is_none_or(|of| known.1.is_some_and(|known| is_suffix(of, &known)))
                && path.rest.len() >= scope.rest.len()
                && same_all(&scope.rest, &path.rest[..scope.rest.len()])
        });
    }
    let sought = &scope.rest;
    path.readings()
        .iter()
        .any(|reading| reading.windows(sought.len().max(1)).any(|part| same_all(sought, part)))
}

/// The last segment of a name without type arguments: `area` of `<Disc as Area>::area`.
pub fn last_segment(name: &str) -> &str {
    Path::read(name).rest.last().map_or(name, |segment| segment.name)
}

/// The identifiers in a name, without type arguments: `Disc`, `Area`, `area`.
pub fn identifiers(name: &str) -> Vec<&str> {
    let path = Path::read(name);
    let of = path.of.into_iter().flat_map(|(ty, of)| ty.into_iter().chain(of.into_iter().flatten()));
    of.chain(path.rest).map(|segment| segment.name).collect()
}

/// A name without its type arguments: `<Disc as Area>::area` of `<Disc as Area<f64>>::area<u8>`.
pub fn without_type_args(name: &str) -> String {
    let joined =
        |segments: &Segments<'_>| segments.iter().map(|segment| segment.name).collect::<Vec<_>>().join("::");
    let path = Path::read(name);
    let rest = joined(&path.rest);
    match &path.of {
        Some((ty, Some(of))) => format!("<{} as {}>::{rest}", joined(ty), joined(of)),
        Some((ty, None)) => format!("<{}>::{rest}", joined(ty)),
        None => rest,
    }
}

/// The entries of `known` that are similar to `name`, best first, at most three.
pub fn similar<'k>(name: &str, known: impl IntoIterator<Item = &'k str>) -> Vec<String> {
    let last = last_segment(name);
    let limit = last.chars().count().max(3) / 3;
    let mut close: Vec<(usize, &str)> = known
        .into_iter()
        .filter_map(|path| {
            let far = distance(last, last_segment(path));
            (far <= limit).then(|| (far * 100 + distance(name, path), path))
        })
        .collect();
    close.sort_unstable();
    close.dedup();
    close.into_iter().take(3).map(|(_, path)| path.to_owned()).collect()
}

/// A cheap test that fails for most paths, because hooks compare names while a program runs.
fn has_word_of(path: &str, name: &str) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let last = name.rsplit(|c| !is_word(c)).find(|word| !word.is_empty());
    last.is_some_and(|word| path.contains(word))
}

/// A segment of a path, with the type arguments after it.
#[derive(Clone, Copy, Debug)]
struct Segment<'t> {
    name: &'t str,
    args: Option<&'t str>,
}

type Segments<'t> = Vec<Segment<'t>>;

/// A path: `rest`, or `<of.0 as of.1>::rest`.
#[derive(Debug)]
struct Path<'t> {
    of: Option<(Segments<'t>, Option<Segments<'t>>)>,
    rest: Segments<'t>,
}

impl<'t> Path<'t> {
    fn read(text: &'t str) -> Path<'t> {
        let mut parts = split(text.trim(), "::");
        let of = match parts.first().and_then(|first| first.strip_prefix('<')?.strip_suffix('>')) {
            Some(inside) => {
                parts.remove(0);
                let sides = split(inside, " as ");
                let side = |at: usize| sides.get(at).map(|side| segments(split(side.trim(), "::")));
                side(0).map(|ty| (ty, side(1)))
            }
            None => None,
        };
        Path { of, rest: segments(parts) }
    }

    /// The sequences of segments that the path can be read as (NAMEPATH3).
    fn readings(&self) -> Vec<Segments<'t>> {
        let Some((ty, of)) = &self.of else { return vec![self.rest.clone()] };
        let joined = |side: &Segments<'t>| side.iter().chain(&self.rest).copied().collect();
        [Some(ty), of.as_ref()].into_iter().flatten().map(joined).collect()
    }
}

fn segments(parts: Vec<&str>) -> Segments<'_> {
    parts.into_iter().filter(|part| !part.is_empty()).map(segment).collect()
}

fn segment(text: &str) -> Segment<'_> {
    let text = text.trim();
    // NAMEPATH4
    let without_number = match text.rsplit_once('#') {
        Some((before, number)) if number.bytes().all(|b| b.is_ascii_digit()) => before,
        _ => text,
    };
    let opens = without_number.find('<').filter(|&at| {
        at > 0 && without_number.ends_with('>') && !without_number.starts_with(['{', '(', '[', '&'])
    });
    match opens {
        Some(at) => Segment { name: without_number[..at].trim_end(), args: Some(&without_number[at..]) },
        None => Segment { name: without_number, args: None },
    }
}

/// The parts of a text between separators that are outside of all brackets.
fn split<'t>(text: &'t str, separator: &str) -> Vec<&'t str> {
    let (mut parts, mut depth, mut start, mut at) = (Vec::new(), 0_usize, 0, 0);
    let bytes = text.as_bytes();
    while at < bytes.len() {
        match bytes[at] {
            b'<' | b'(' | b'[' | b'{' => depth += 1,
            // The arrow of a function type is not a closing bracket.
            b'>' if at > 0 && bytes[at - 1] == b'-' => {}
            b'>' | b')' | b']' | b'}' => depth = depth.saturating_sub(1),
            _ if depth == 0 && bytes[at..].starts_with(separator.as_bytes()) => {
                parts.push(&text[start..at]);
                at += separator.len();
                start = at;
                continue;
            }
            _ => {}
        }
        at += 1;
    }
    parts.push(&text[start..]);
    parts
}

/// NAMEPATH1, NAMEPATH2
fn is_suffix(sought: &[Segment<'_>], known: &[Segment<'_>]) -> bool {
    !sought.is_empty()
        && known.len().checked_sub(sought.len()).is_some_and(|skipped| same_all(sought, &known[skipped..]))
}

fn same_all(sought: &[Segment<'_>], known: &[Segment<'_>]) -> bool {
    sought.len() == known.len() && sought.iter().zip(known).all(|(sought, known)| same(*sought, *known))
}

fn same(sought: Segment<'_>, known: Segment<'_>) -> bool {
    sought.name == known.name
        && sought.args.is_none_or(|args| {
            let spaceless = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
            known.args.is_some_and(|known| spaceless(known) == spaceless(args))
        })
}

/// The edit distance of two names, in letters.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut before = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let cost = before + usize::from(x != *y);
            before = row[j + 1];
            row[j + 1] = cost.min(row[j] + 1).min(row[j + 1] + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_matches_whatever_the_type_arguments_are() {
        for path in [
            "twice<f64>",
            "m::twice<Vec<a::B>>",
            "twice<fn(f64) -> f64>",
            "twice<{closure 3 of f<a::b> in x}>",
        ] {
            assert!(is_called(path, "twice"), "{path}");
            assert!(is_within(path, "twice"), "{path}");
        }
        assert!(is_called("std::iter::Iterator::sum<Iter<f64>, f64>", "Iterator::sum"));
        assert!(is_called("std::iter::Iterator::sum<Iter<f64>, f64>", "sum<Iter<f64>,f64>"));
        assert!(!is_called("std::iter::Iterator::sum<Iter<f64>, f64>", "Iter"));
        assert!(is_called("std::iter::iterator::Iterator::sum<f64>", "core::iter::Iterator::sum"));
        assert!(is_called("std::mem::swap<f64>", "std::mem::swap"));
        assert!(!is_called("std::slice::[T]::swap<f64>", "std::mem::swap"));
        assert!(!is_called("m::Iterator::sum<f64>", "std::iter::Iterator::sum"));
        assert!(!is_called("m::twice<once>", "once") && !is_called("m::twice<f64>", "ice"));
    }

    #[test]
    fn a_method_is_found_by_its_type_and_by_its_trait() {
        let path = "<shapes::S as shapes::Area>::area<f64>";
        for name in [
            "area",
            "S::area",
            "Area::area",
            "shapes::S::area",
            "<S as Area>::area",
            "<shapes::S as Area>::area",
        ] {
            assert!(is_called(path, name), "{name}");
        }
        for name in ["T::area", "<T as Area>::area", "<S>::area", "S", "S as Area"] {
            assert!(!is_called(path, name), "{name}");
        }
        assert!(is_within(path, "S") && is_within(path, "Area") && is_within(path, "shapes"));
        assert!(is_within("<S as Area>::area::{closure#0}", "S::area"));
    }

    #[test]
    fn functions_with_equal_paths_have_the_same_name() {
        assert!(is_called("{test}::inner#1", "inner") && is_called("inner#2", "inner"));
        assert!(!is_called("f::{closure#1}", "f"));
    }

    #[test]
    fn odd_texts_match_nothing_and_do_not_panic() {
        for text in ["", "::", "<", ">", "<>::", "a::", "<a as >::b", "é<", "{", "->"] {
            assert!(!is_called("twice<f64>", text), "{text}");
            let _ = (is_within("<S as A>::é", text), similar(text, ["é", "twice"]), identifiers(text));
        }
    }

    #[test]
    fn similar_names_are_those_that_few_letters_change() {
        assert_eq!(similar("innr", ["outer", "m::inner", "sin"]), ["m::inner"]);
        assert_eq!(similar("bin::inner", ["inner", "other"]), ["inner"]);
    }
}
