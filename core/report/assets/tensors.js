// Tensors and their buffers: a chip is its value, a row is its line of the source.

if (index.tensors) {
  const tensors = new Drawing("tensors");
  element("tensors-in").addEventListener("click", () => tensors.magnify(1.25));
  element("tensors-out").addEventListener("click", () => tensors.magnify(0.8));
  element("tensors-fit").addEventListener("click", () => tensors.fit());
  window.addEventListener("resize", () => tensors.size());

  tensors.box.addEventListener("click", (event) => {
    const row = event.target.closest("[data-place]");
    if (row) {
      showLine(parseInt(row.dataset.place, 10));
    }
  });

  /** Where the selected value is defined. */
  const reveal = () => {
    const node = view.value === null || !tensors.svg ? null :
      tensors.svg.querySelector(
          `.tensor-chip[data-value="${tensorOf(view.value)}"]`);
    if (node && tensors.box.clientHeight) {
      tensors.show(node);
    }
  };

  panes.push({
    load() {
      tensors.load(view.fn.tensors);
    },
    pick: reveal,
    tab() {
      tensors.size();
      reveal();
    },
  });
}
