import { useEffect } from 'react';
import { useAddressValues } from '#renderer/ui/use-address-values.ts';

const KEY = 'design';

/** The design that the address names: after a reload, or on another device, work on it continues. */
export function useDesignOfAddress(): number | null {
  const [values] = useAddressValues();
  const id = Number(values.get(KEY) ?? Number.NaN);
  return Number.isSafeInteger(id) && id > 0 ? id : null;
}

/** Keeps the design of the page in its address. */
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
