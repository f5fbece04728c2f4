<?xml version="1.0" encoding="UTF-8"?>
<tileset version="1.10" tiledversion="1.11.0" name="tiles" tilewidth="32" tileheight="32" tilecount="8" columns="4">
 <image source="tiles.png" width="128" height="64"/>
 <tile id="0"><properties><property name="solid" type="bool" value="true"/></properties></tile>
 <tile id="1"><properties><property name="solid" type="bool" value="true"/></properties></tile>
 <tile id="2"><objectgroup draworder="index"><object id="1" x="0" y="32"><polygon points="0,0 32,-32 32,0"/></object></objectgroup></tile>
 <tile id="3"><objectgroup draworder="index"><object id="1" x="0" y="0"><polygon points="0,0 32,32 0,32"/></object></objectgroup></tile>
 <tile id="4">
  <properties><property name="one_way" value="up"/></properties>
  <objectgroup draworder="index"><object id="1" x="0" y="0" width="32" height="9"/></objectgroup>
 </tile>
 <tile id="5" type="gem">
  <properties><property name="body" value="static"/><property name="sensor" type="bool" value="true"/></properties>
  <objectgroup draworder="index"><object id="1" x="6" y="5" width="20" height="23"/></objectgroup>
 </tile>
 <tile id="6" type="thorns">
  <properties><property name="sensor" type="bool" value="true"/></properties>
  <objectgroup draworder="index"><object id="1" x="0" y="18" width="32" height="14"/></objectgroup>
 </tile>
</tileset>
