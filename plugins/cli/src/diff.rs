//! The lines in which two texts differ.

/// All lines of both texts: those that only the first one has are marked with `-`, those that only the second has with `+`.
pub fn lines(old: &str, new: &str) -> String {
    let (old, new): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
    // common[i][j]: the length of the longest common subsequence of the lines from i and from j on.
    let mut common = vec![vec![0usize; new.len() + 1]; old.len() + 1];
    for i in (0..old.len()).rev() {
        for j in (0..new.len()).rev() {
            common[i][j] = if old[i] == new[j] {
                common[i + 1][j + 1] + 1
            } else {
                common[i + 1][j].max(common[i][j + 1])
            };
        }
    }
    let mut text = String::new();
    let (mut i, mut j) = (0, 0);
    while i < old.len() || j < new.len() {
        if i < old.len() && j < new.len() && old[i] == new[j] {
            text.push_str(&format!("    {}\n", old[i]));
            (i, j) = (i + 1, j + 1);
        } else if j == new.len() || (i < old.len() && common[i + 1][j] >= common[i][j + 1]) {
            text.push_str(&format!("  - {}\n", old[i]));
            i += 1;
        } else {
            text.push_str(&format!("  + {}\n", new[j]));
            j += 1;
        }
    }
    text
}
