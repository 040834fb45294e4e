//! A line-by-line comparison of two texts.

use similar::{ChangeTag, TextDiff};

/// All lines of both texts: `-` marks those that only the first has, `+` those that only the second has.
pub fn lines(old: &str, new: &str) -> String {
    let [old, new] = [old, new].map(|text| text.lines().collect::<Vec<_>>());
    let diff = TextDiff::from_slices(&old, &new);
    let marked = diff.iter_all_changes().map(|change| {
        let mark = match change.tag() {
            ChangeTag::Equal => ' ',
            ChangeTag::Delete => '-',
            ChangeTag::Insert => '+',
        };
        format!("  {mark} {}\n", change.value())
    });
    marked.collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn lines_of_one_text_alone_are_marked() {
        assert_eq!(super::lines("a\nb\nc", "a\nc\nd"), "    a\n  - b\n    c\n  + d\n");
        assert_eq!(super::lines("", ""), "");
    }
}
