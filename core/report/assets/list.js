// A list of rows of one height, of which only those in sight exist. Printing
// makes all of them.

const lists = [];
const printLimit = 20000;

class RowList {
  /** render(i) makes row i; rows lie in `box`, which scrolls. */
  constructor(box, rowHeight, render) {
    this.box = box;
    this.rowHeight = rowHeight;
    this.render = render;
    this.count = 0;
    this.spacer = make("div", "spacer");
    this.rows = make("div", "rows");
    this.spacer.append(this.rows);
    box.replaceChildren(this.spacer);
    box.addEventListener("scroll", () => this.draw(false), {passive: true});
    new ResizeObserver(() => this.draw(false)).observe(box);
    lists.push(this);
  }

  setCount(count) {
    this.count = count;
    this.spacer.style.height = count * this.rowHeight + "px";
    this.draw(true);
  }

  draw(anew) {
    const first = Math.max(0,
        Math.floor(this.box.scrollTop / this.rowHeight) - 10);
    const last = Math.min(this.count, first + 20 +
        Math.ceil(this.box.clientHeight / this.rowHeight));
    if (!anew && first === this.first && last === this.last) {
      return;
    }
    this.first = first;
    this.last = last;
    this.fill(first, last);
  }

  fill(first, last) {
    const made = [];
    for (let i = first; i < last; i++) {
      made.push(this.render(i));
    }
    this.rows.style.transform = `translateY(${first * this.rowHeight}px)`;
    this.rows.replaceChildren(...made);
  }

  /** Scrolls only where the row is not in sight. */
  reveal(i) {
    const top = i * this.rowHeight;
    const height = this.box.clientHeight;
    if (top < this.box.scrollTop ||
        top + 2 * this.rowHeight > this.box.scrollTop + height) {
      this.box.scrollTop = Math.max(0, top - height / 3);
    }
    this.draw(true);
  }

  print() {
    this.fill(0, Math.min(this.count, printLimit));
    this.spacer.style.height = "auto";
  }
}

window.addEventListener("afterprint",
    () => lists.forEach((l) => l.setCount(l.count)));
