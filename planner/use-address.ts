/** Keeps the address of the page in step with what it shows. */
import { throttle } from 'es-toolkit/function';
import { useEffect, useMemo, useRef } from 'preact/hooks';

/** While a slider moves: Chromium refuses more than 200 writes in 30 s. */
const leastMs = 250;

/** A page in a sandbox may not change its address; then only the button for its link has it. */
function write(hash: string): void {
  if (location.hash === `#${hash}`) return;
  try {
    history.replaceState(null, '', `${location.pathname}${location.search}#${hash}`);
  } catch {
    // All else works without it.
  }
}

/**
 * @param hash what the address is to say. @param onGo somebody went to another: a link, the way back, or by hand.
 * It answers whether it was understood; an anchor is gone to, and the address says again what it said.
 */
export function useAddress(hash: string, onGo: (hash: string) => boolean): void {
  const latest = useRef({ hash, onGo });
  latest.current = { hash, onGo };
  const later = useMemo(() => throttle(write, leastMs, { edges: ['leading', 'trailing'] }), []);
  useEffect(() => later(hash), [hash, later]);
  useEffect(() => {
    // Each that is followed draws the whole page: the first at once, and of more before the next frame the last one.
    let frame = 0;
    let waiting: string | null = null;
    const follow = (url: string): void => {
      later.cancel();
      const at = url.indexOf('#');
      if (!latest.current.onGo(at === -1 ? '' : url.slice(at))) write(latest.current.hash);
    };
    const next = (): void => {
      frame = 0;
      const url = waiting;
      waiting = null;
      if (url === null) return;
      frame = requestAnimationFrame(next);
      follow(url);
    };
    const went = ({ newURL }: HashChangeEvent): void => {
      // As it was then: the address itself may have been written meanwhile.
      waiting = newURL;
      if (frame === 0) next();
    };
    const leave = (): void => later.flush();
    addEventListener('hashchange', went);
    addEventListener('pagehide', leave);
    return () => {
      removeEventListener('hashchange', went);
      removeEventListener('pagehide', leave);
      cancelAnimationFrame(frame);
      later.cancel();
    };
  }, [later]);
}

/** The whole address with it, to be sent to somebody. */
export const linkTo = (hash: string): string => `${location.href.split('#', 1)[0]}#${hash}`;
