/** The logo: a drop of ink over its pool, the same drawing as public/favicon.svg. */
export function Logo({ size }: { readonly size: number }) {
  return (
    <svg className="logo" width={size} height={size} viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="9" className="logo-ground" />
      <path
        className="logo-drop"
        d="M16 4.8c3.4 4.3 5.6 7.2 5.6 10.3a5.6 5.6 0 0 1-11.2 0c0-3.1 2.2-6 5.6-10.3z"
      />
      <path className="logo-pool" d="M6.5 24.8c2.4-1.7 4.7-1.7 6.4-.4s4 1.3 6.2 0 4.2-1.3 6.4.4" />
    </svg>
  );
}
