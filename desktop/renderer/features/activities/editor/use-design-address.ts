import { useEffect } from 'react';
import { useAddressValues } from '#renderer/ui/use-address-values.ts';

const KEY = 'design';

/** Returns the id of the design in the address, so that work continues after a reload or on another device. */
export function useDesignOfAddress(): number | null {
  const [values] = useAddressValues();
  const id = Number(values.get(KEY) ?? Number.NaN);
  return Number.isSafeInteger(id) && id > 0 ? id : null;
}

/** Writes the design of the page to its address. */
export function useDesignInAddress(designId: number | null): void {
  const [, change] = useAddressValues();
  useEffect(() => {
    change((present) => {
      if (designId === null) present.delete(KEY);
      else present.set(KEY, String(designId));
      return present;
    });
  }, [designId, change]);
}
