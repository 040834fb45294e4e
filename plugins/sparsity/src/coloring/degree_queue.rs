//! Vertices ordered by a degree that changes by one at a time.
//!
//! Buckets of doubly linked lists, as for the smallest-last order of Matula, Beck, *Smallest-last ordering
//! and clustering and graph coloring algorithms*, J. ACM 30, 1983: taking all vertices takes time linear in
//! the number of changes.
//!
//! - QUEUE1 a vertex in the queue is in the list of its degree; one that was taken is in none.

/// Stands for no vertex.
const NONE: u32 = u32::MAX;

/// The vertices in the queue, by degree.
pub(super) struct DegreeQueue {
    /// The degree of each vertex, or [`NONE`] if it was taken.
    degrees: Vec<u32>,
    heads: Vec<u32>,
    next: Vec<u32>,
    previous: Vec<u32>,
    /// All lists below are empty, and so are those above the greatest degree.
    least: usize,
    greatest: usize,
}

impl DegreeQueue {
    /// A queue of all vertices with these degrees, which must never rise above `greatest`.
    pub(super) fn new(degrees: Vec<u32>, greatest: usize) -> Self {
        let len = degrees.len();
        let mut queue = Self {
            heads: vec![NONE; greatest + 1],
            next: vec![NONE; len],
            previous: vec![NONE; len],
            least: 0,
            greatest,
            degrees,
        };
        // The first of equal vertices is inserted last, and taken first.
        for vertex in (0..len as u32).rev() {
            queue.link(vertex, queue.degrees[vertex as usize]);
        }
        queue
    }

    /// Takes a vertex of the least degree.
    pub(super) fn pop_least(&mut self) -> Option<(u32, u32)> {
        while *self.heads.get(self.least)? == NONE {
            self.least += 1;
        }
        Some(self.take(self.least))
    }

    /// Takes a vertex of the greatest degree.
    pub(super) fn pop_greatest(&mut self) -> Option<(u32, u32)> {
        while self.heads[self.greatest] == NONE {
            self.greatest = self.greatest.checked_sub(1)?;
        }
        Some(self.take(self.greatest))
    }

    /// Increments the degree of a vertex that is in the queue.
    pub(super) fn raise(&mut self, vertex: u32) {
        if self.degrees[vertex as usize] != NONE {
            self.relink(vertex, self.degrees[vertex as usize] + 1);
        }
    }

    /// Decrements the degree of a vertex that is in the queue.
    pub(super) fn lower(&mut self, vertex: u32) {
        if self.degrees[vertex as usize] != NONE {
            self.relink(vertex, self.degrees[vertex as usize].saturating_sub(1));
        }
    }

    fn take(&mut self, degree: usize) -> (u32, u32) {
        let vertex = self.heads[degree];
        self.unlink(vertex);
        self.degrees[vertex as usize] = NONE;
        (vertex, degree as u32)
    }

    fn relink(&mut self, vertex: u32, degree: u32) {
        self.unlink(vertex);
        self.link(vertex, degree);
        self.least = self.least.min(degree as usize);
        self.greatest = self.greatest.max(degree as usize);
    }

    fn link(&mut self, vertex: u32, degree: u32) {
        let head = self.heads[degree as usize];
        self.degrees[vertex as usize] = degree;
        self.next[vertex as usize] = head;
        self.previous[vertex as usize] = NONE;
        if head != NONE {
            self.previous[head as usize] = vertex;
        }
        self.heads[degree as usize] = vertex;
    }

    fn unlink(&mut self, vertex: u32) {
        let (previous, next) = (self.previous[vertex as usize], self.next[vertex as usize]);
        match previous {
            NONE => self.heads[self.degrees[vertex as usize] as usize] = next,
            _ => self.next[previous as usize] = next,
        }
        if next != NONE {
            self.previous[next as usize] = previous;
        }
    }
}
