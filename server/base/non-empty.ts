/** Treats an empty list as no filter, as null is. */
export const nonEmpty = <T>(list: readonly T[] | null | undefined): readonly T[] | undefined =>
  list && list.length > 0 ? list : undefined;
