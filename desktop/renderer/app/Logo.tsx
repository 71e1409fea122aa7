import { bridge } from '#renderer/api/bridge.ts';

interface LogoProps {
  size?: number;
  /** Address of the installation's logo, relative to the base path; '' for the program's own. */
  address: string;
}

/**
 * The installation's logo, or the program's own mark: a running sheet. The mark is drawn inline and needs no request.
 */
export function Logo({ size = 24, address }: LogoProps) {
  if (address !== '') return <img src={bridge.addressOf(address)} alt="" height={size} className="rs-logo" />;
  return (
    <svg viewBox="0 0 32 32" width={size} height={size} aria-hidden="true">
      <rect x="2" y="2" width="28" height="28" rx="6" fill="#1c6e42" />
      <path d="M8 10h9M8 16h6M8 22h9" stroke="#d6f5e3" strokeWidth="2.5" strokeLinecap="round" />
      <path d="M19.5 10.5l6 5.5-6 5.5z" fill="#fff" />
    </svg>
  );
}
