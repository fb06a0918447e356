/** Whether the page is as narrow as a phone: as base.css has it. */
import { useLayoutEffect, useState } from 'preact/hooks';

const narrow = '(max-width: 40rem)';

export function useNarrow(): boolean {
  const [isNarrow, setNarrow] = useState(() => matchMedia(narrow).matches);
  useLayoutEffect(() => {
    const media = matchMedia(narrow);
    const changed = (): void => setNarrow(media.matches);
    media.addEventListener('change', changed);
    return () => media.removeEventListener('change', changed);
  }, []);
  return isNarrow;
}
