// Pan and zoom over an SVG by its viewBox: no inline style, which the page's
// policy forbids.

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

export class Camera {
  private svg: SVGSVGElement | undefined;
  private whole: Box = { x: 0, y: 0, width: 1, height: 1 };
  private box: Box = this.whole;
  private dragged = false;
  private down: { x: number; y: number; box: Box } | undefined;

  constructor(private readonly element: HTMLElement) {
    element.addEventListener('wheel', (event) => this.onWheel(event), { passive: false });
    element.addEventListener('pointerdown', (event) => {
      this.dragged = false;
      if (event.button === 0) this.down = { x: event.clientX, y: event.clientY, box: { ...this.box } };
    });
    window.addEventListener('pointermove', (event) => this.onMove(event));
    window.addEventListener('pointerup', () => (this.down = undefined));
    element.addEventListener('keydown', (event) => this.onKey(event));
  }

  /** The click that follows ends a drag. */
  get wasDragged(): boolean {
    return this.dragged;
  }

  show(svg: SVGSVGElement, keepsView: boolean): void {
    const [x = 0, y = 0, width = 1, height = 1] = (svg.getAttribute('viewBox') ?? '').split(/[\s,]+/).map(Number);
    this.whole = { x, y, width, height };
    svg.removeAttribute('width');
    svg.removeAttribute('height');
    svg.setAttribute('preserveAspectRatio', 'xMidYMid meet');
    this.element.replaceChildren(svg);
    this.svg = svg;
    if (keepsView) this.apply();
    else this.fit();
  }

  size(): { width: number; height: number } {
    return { width: Math.ceil(this.whole.width), height: Math.ceil(this.whole.height) };
  }

  /** The picture as a file: whole, with its size, without what is selected. */
  wholeText(svg: SVGSVGElement): string {
    const copy = svg.cloneNode(true) as SVGSVGElement;
    const { x, y, width, height } = this.whole;
    copy.setAttribute('viewBox', `${x} ${y} ${width} ${height}`);
    copy.setAttribute('width', String(width));
    copy.setAttribute('height', String(height));
    for (const one of copy.querySelectorAll('.selected, .current')) one.classList.remove('selected', 'current');
    return new XMLSerializer().serializeToString(copy);
  }

  fit(): void {
    this.box = { ...this.whole };
    this.apply();
  }

  zoom(factor: number, at?: { x: number; y: number }): void {
    const { box } = this;
    const width = Math.min(this.whole.width * 4, Math.max(40, box.width / factor));
    const scale = width / box.width;
    const center = at ?? { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    this.box = {
      x: center.x - (center.x - box.x) * scale,
      y: center.y - (center.y - box.y) * scale,
      width,
      height: box.height * scale,
    };
    this.apply();
  }

  /** Moves the view where the element is outside of it. */
  reveal(target: Element | null): void {
    if (!target) return;
    const place = target.getBoundingClientRect();
    const view = this.element.getBoundingClientRect();
    const isInside = place.left >= view.left && place.right <= view.right && place.top >= view.top && place.bottom <= view.bottom;
    if (isInside) return;
    const unit = this.unit();
    this.box.x += (place.left + place.width / 2 - view.left - view.width / 2) * unit;
    this.box.y += (place.top + place.height / 2 - view.top - view.height / 2) * unit;
    this.apply();
  }

  /** Units of the picture in one pixel. */
  private unit(): number {
    const view = this.element.getBoundingClientRect();
    return Math.max(this.box.width / Math.max(view.width, 1), this.box.height / Math.max(view.height, 1));
  }

  private apply(): void {
    const { x, y, width, height } = this.box;
    this.svg?.setAttribute('viewBox', `${x} ${y} ${width} ${height}`);
  }

  private onWheel(event: WheelEvent): void {
    event.preventDefault();
    const unit = this.unit();
    if (!event.ctrlKey && !event.metaKey) {
      this.box.x += event.deltaX * unit;
      this.box.y += event.deltaY * unit;
      this.apply();
      return;
    }
    const matrix = this.svg?.getScreenCTM()?.inverse();
    const at = matrix && new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix);
    this.zoom(event.deltaY < 0 ? 1.15 : 1 / 1.15, at);
  }

  private onMove(event: PointerEvent): void {
    if (!this.down) return;
    const unit = this.unit();
    const dx = event.clientX - this.down.x;
    const dy = event.clientY - this.down.y;
    if (Math.abs(dx) + Math.abs(dy) > 4) this.dragged = true;
    if (!this.dragged) return;
    this.box = { ...this.down.box, x: this.down.box.x - dx * unit, y: this.down.box.y - dy * unit };
    this.apply();
  }

  private onKey(event: KeyboardEvent): void {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const step = this.box.width / 10;
    if (event.key === '+' || event.key === '=') this.zoom(1.25);
    else if (event.key === '-') this.zoom(0.8);
    else if (event.key === '0') this.fit();
    else if (event.key === 'ArrowLeft') this.box.x -= step;
    else if (event.key === 'ArrowRight') this.box.x += step;
    else if (event.key === 'ArrowUp') this.box.y -= step;
    else if (event.key === 'ArrowDown') this.box.y += step;
    else return;
    event.preventDefault();
    this.apply();
  }
}
