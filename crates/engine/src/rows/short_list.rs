//! [`ShortList`]: a list whose first elements need no allocation. Reads make two for every row.

/// A list that allocates only beyond `N` elements.
#[derive(Clone, Debug)]
pub(crate) struct ShortList<T, const N: usize> {
    /// The elements while there are at most `N`; the rest of the array has no meaning.
    few: [T; N],
    count: usize,
    /// All elements if there are more.
    many: Vec<T>,
}

impl<T: Copy, const N: usize> ShortList<T, N> {
    /// An empty list; the filler stands for the elements that it does not have yet.
    pub(crate) fn new(filler: T) -> Self {
        Self { few: [filler; N], count: 0, many: Vec::new() }
    }

    /// The list of some elements.
    pub(crate) fn collect(filler: T, elements: impl Iterator<Item = T>) -> Self {
        let mut list = Self::new(filler);
        for element in elements {
            list.push(element);
        }
        list
    }

    /// Adds an element.
    pub(crate) fn push(&mut self, element: T) {
        if let Some(free) = self.few.get_mut(self.count) {
            *free = element;
        } else {
            if self.many.is_empty() {
                self.many.extend(self.few);
            }
            self.many.push(element);
        }
        self.count += 1;
    }

    /// All elements.
    pub(crate) fn as_slice(&self) -> &[T] {
        if self.many.is_empty() {
            self.few.get(..self.count).unwrap_or_default()
        } else {
            &self.many
        }
    }
}

#[cfg(test)]
mod tests {
    use super::ShortList;

    #[test]
    fn elements_are_kept_within_and_beyond_the_array() {
        for count in 0..9 {
            let list = ShortList::<u32, 4>::collect(99, 0..count);
            assert_eq!(list.as_slice(), (0..count).collect::<Vec<_>>());
        }
    }
}
