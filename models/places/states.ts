/** States, provinces and territories that newspapers name without their country: name, country code, short forms. */
export const STATES = `Alabama|US|Ala.
Alaska|US
Arizona|US|Ariz.
Arkansas|US|Ark.
California|US|Calif.
Colorado|US|Colo.
Connecticut|US|Conn.
Delaware|US|Del.
Florida|US|Fla.
Hawaii|US
Idaho|US
Illinois|US|Ill.
Indiana|US|Ind.
Iowa|US
Kansas|US|Kan.
Kentucky|US|Ky.
Louisiana|US|La.
Maine|US
Maryland|US|Md.
Massachusetts|US|Mass.
Michigan|US|Mich.
Minnesota|US|Minn.
Mississippi|US|Miss.
Missouri|US|Mo.
Montana|US|Mont.
Nebraska|US|Neb.
Nevada|US|Nev.
New Hampshire|US|N.H.
New Jersey|US|N.J.
New Mexico|US|N.M.
New York State|US
North Carolina|US|N.C.
North Dakota|US|N.D.
Ohio|US
Oklahoma|US|Okla.
Oregon|US|Ore.
Pennsylvania|US|Pa.
Rhode Island|US|R.I.
South Carolina|US|S.C.
South Dakota|US|S.D.
Tennessee|US|Tenn.
Texas|US
Utah|US
Vermont|US|Vt.
Virginia|US|Va.
Washington State|US
West Virginia|US|W.Va.
Wisconsin|US|Wis.
Wyoming|US|Wyo.
Puerto Rico|US
Guam|US
Ontario|CA
Quebec|CA
British Columbia|CA
Alberta|CA
Manitoba|CA
Saskatchewan|CA
Nova Scotia|CA
New Brunswick|CA
Newfoundland|CA
England|GB
Scotland|GB
Wales|GB
Northern Ireland|GB
New South Wales|AU
Queensland|AU
Tasmania|AU
Western Australia|AU
South Australia|AU
Bavaria|DE
Saxony|DE
Brandenburg|DE
Hesse|DE
Catalonia|ES
Andalusia|ES
Lombardy|IT
Sicily|IT
Tuscany|IT
Normandy|FR
Brittany|FR
Corsica|FR
Crimea|UA
Donbas|UA
Donetsk|UA
Luhansk|UA
Chechnya|RU
Dagestan|RU
Siberia|RU
Tatarstan|RU
Punjab|IN
Kerala|IN
Gujarat|IN
Maharashtra|IN
Tamil Nadu|IN
Uttar Pradesh|IN
Madhya Pradesh|IN
Andhra Pradesh|IN
West Bengal|IN
Rajasthan|IN
Karnataka|IN
Bihar|IN
Odisha|IN
Haryana|IN
Telangana|IN
Jharkhand|IN
Chhattisgarh|IN
Assam|IN
Manipur|IN
Kashmir|IN
Sindh|PK
Balochistan|PK
Khyber Pakhtunkhwa|PK
Xinjiang|CN
Tibet|CN
Guangdong|CN
Sichuan|CN
Hunan|CN
Hubei|CN
Fujian|CN
Inner Mongolia|CN
Okinawa|JP
Hokkaido|JP
Rakhine|MM
Aceh|ID
Papua|ID
Mindanao|PH
Kurdistan|IQ
Anbar|IQ
Helmand|AF
Darfur|SD
Tigray|ET
Biafra|NG
Borno|NG
Lagos State|NG
Rivers State|NG
KwaZulu-Natal|ZA
Gauteng|ZA
Eastern Cape|ZA
Western Cape|ZA
Limpopo|ZA
Chiapas|MX
Sinaloa|MX
Jalisco|MX
Oaxaca|MX
Flanders|BE
Wallonia|BE
Gaza|PS
Gaza Strip|PS
West Bank|PS
East Timor|TL
Somaliland|SO
Puntland|SO
Transnistria|MD
Abkhazia|GE
South Ossetia|GE
Nagorno-Karabakh|AZ
Zanzibar|TZ
Greenland|GL
Kosovo|XK`
