/** Cells with their sheet: `Loan!B4`. The name of the sheet keeps its own direction. */
export function PlaceText({ sheet, range }: { sheet: string; range: string }) {
  return (
    <>
      <bdi>{sheet}</bdi>!{range}
    </>
  );
}
