/** Whether the page is being printed: what is not on the screen has to be drawn before the printer looks. */
import { options } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';

/** Rendered at once: after `beforeprint` there is no later. */
function atOnce(change: () => void): void {
  const { debounceRendering } = options;
  options.debounceRendering = (render) => render();
  try {
    change();
  } finally {
    if (debounceRendering === undefined) delete options.debounceRendering;
    else options.debounceRendering = debounceRendering;
  }
}

export function usePrinting(): boolean {
  const [isPrinting, setPrinting] = useState(false);
  useLayoutEffect(() => {
    const before = (): void => atOnce(() => setPrinting(true));
    const after = (): void => setPrinting(false);
    addEventListener('beforeprint', before);
    addEventListener('afterprint', after);
    return () => {
      removeEventListener('beforeprint', before);
      removeEventListener('afterprint', after);
    };
  }, []);
  return isPrinting;
}
